"""Stages the site: copies the pages, and makes a page of each file that they link.

The staged tree mirrors the repository, so that relative links keep their form. A file such as
`Scenarios/decode-user/main.swift` becomes the page `Scenarios/decode-user/main.swift.html`.

Usage: stage.py STAGING_FOLDER SITE_FOLDER PLAYERS_FOLDER
"""

import base64
import functools
import hashlib
import html
import json
import posixpath
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

from markdown_rules import chapter, rewrite
from navigation import CONTRIBUTORS, HOME, LESSONS, OPERATORS, ROOT, course_lists, fail, navigation

HERE = Path(__file__).resolve().parent
TEACHERS = "docs/for-teachers.md"
# Next to the pages that it consists of, so that their links work in it.
PRINT = "docs/scenarios/whole-course.md"
LANGUAGES = {".swift": "swift", ".sh": "bash", ".md": "markdown", ".json": "json", ".py": "python"}
# Tables for programs, which are copied as they are, because they'd be slow as pages.
DATA = ".tsv"
CHEAT_SHEET = "docs/cheat-sheet.md"
# How much a page for contributors counts in the search.
CONTRIBUTORS_BOOST = 0.2
# What a player calls the page that it belongs to, by its folder.
KINDS = {"": "home page", "docs/operators": "operator", "docs/scenarios": "lesson"}
# The most bytes of the home page's stage.
MOST_OF_HOME = 150_000
# The runs in a page of `--player`.
RUNS = re.compile(r'<script type="application/json" id="runs">(.*?)</script>', re.DOTALL)
# A row of the cheat sheet: what one wants, and how it's called in Combine, async/await and RxSwift.
ROW = re.compile(r"^\| [^|]+ \| ([^|]*\]\([^|]+) \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)


def plain(text):
    """Markdown without links and signs."""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)|[`*]", r"\1", text)


def compressed(runs):
    """The element of a player's runs with a tenth of its size. The page can read both."""
    data = base64.b64encode(zlib.compress(runs.group(1).encode(), 9)).decode()
    return (
        '<script type="application/octet-stream" id="runs" data-encoding="deflate">'
        f"{data}</script>")


class Site:
    """The pages that are staged, and those that are still to be made."""

    def __init__(self, staging, players):
        self.staging = staging
        self.players = players
        self.marbles = json.loads((HERE / "marbles.json").read_text(encoding="utf-8"))
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True, text=True).stdout
        # Links to folders are left out, because their files have pages already.
        self.files = sorted(
            path for path in listed.split("\0") if path and not (ROOT / path).is_dir())
        self.folders = {posixpath.dirname(path) for path in self.files}
        for folder in list(self.folders):
            while folder := posixpath.dirname(folder):
                self.folders.add(folder)
        self.pages = [
            path for path in self.files
            if path.endswith(".md") and ("/" not in path or path.startswith("docs/"))
            and (ROOT / path).is_file()]
        self.wanted = []
        # The pages that lead to a player, by the player's path.
        self.pages_of_players = {"home.html": HOME}
        # The bytes of all players, before and after their runs are compressed.
        self.sizes = [0, 0]
        self.words = self.learners_words()
        self.contributors = {
            next(iter(entry.values())) for entry in course_lists()[CONTRIBUTORS]}

    def stage(self):
        for path in self.pages:
            self.write(path, self.page(path))
        self.write(PRINT, self.whole_course())
        done = set()
        while self.wanted:
            path = self.wanted.pop()
            if path not in done:
                done.add(path)
                self.write_source(path)
        for path in self.files:
            if path.startswith("docs/pictures/"):
                self.copy(path)
        shutil.copytree(HERE / "assets", self.staging / "assets")
        for file in self.players.rglob("*.html"):
            self.write_player(file)

    def page(self, path):
        text = (ROOT / path).read_text(encoding="utf-8")
        try:
            text = rewrite(text, lambda target: self.target(target, path))
        except ValueError as error:
            fail(f"{path}: {error}")
        scenario = re.fullmatch(r"docs/scenarios/(.+)\.md", path)
        if scenario:
            text = self.with_player(text, scenario.group(1))
        if re.fullmatch(r"docs/recipes/(?!README).+\.md", path):
            text = self.with_ways(text, path)
        operator = re.fullmatch(r"docs/operators/(.+)\.md", path)
        if operator:
            text = self.with_example_players(text, operator.group(1))
            text = self.with_marbles(text, operator.group(1))
        if path == OPERATORS:
            text = self.with_cards(text)
        if path == HOME:
            text = self.with_start(text)
        if path == TEACHERS:
            text += ("\n## On paper\n\n[The whole course as one page to print]"
                     f"({posixpath.relpath(PRINT, 'docs')}) has the answers at the end of each"
                     " chapter, so you can hand out the questions.\n")
        settings = {}
        if path in self.words:
            settings["words"] = self.words[path]
        if self.is_for_contributors(path):
            settings["search"] = {"boost": CONTRIBUTORS_BOOST}
        if path == HOME:
            # Its sections are few, and its picture needs the width.
            settings["hide"] = ["toc"]
        # JSON is YAML.
        return f"---\n{json.dumps(settings)}\n---\n\n{text}" if settings else text

    def learners_words(self):
        """What people call the subjects of pages who don't know this library's words for them.

        They stand in a list, and for the names of RxSwift in the cheat sheet.
        """
        listed = json.loads((HERE / "search_words.json").read_text(encoding="utf-8"))
        unknown = set(listed) - set(self.pages)
        if unknown:
            fail(f"search_words.json names pages that don't exist: {', '.join(sorted(unknown))}")
        words = {path: list(names) for path, names in listed.items()}
        for combine, rx in ROW.findall((ROOT / CHEAT_SHEET).read_text(encoding="utf-8")):
            for target in re.findall(r"\]\(([^)#]+\.md)\)", combine):
                path = posixpath.join(posixpath.dirname(CHEAT_SHEET), target)
                names = words.setdefault(path, [])
                for name in re.findall(r"`([^`{]+)`", rx):
                    name = re.sub(r"\(\w?\)", "", name)
                    if name in listed.get(path, []):
                        fail(f"search_words.json repeats {name!r} of {CHEAT_SHEET} for {path}")
                    # Many have the same name in both.
                    own = posixpath.basename(path)[:-3].replace("-", "")
                    if name not in names and name.lower() != own:
                        names.append(name)
        return words

    def is_for_contributors(self, path):
        """Whether the search shows a page below those for users."""
        return (path in self.contributors or path in ("CONTRIBUTING.md", "CHANGELOG.md")
                or path.startswith("docs/contributing/"))

    def whole_course(self):
        """All pages of the course, one after the other, to print."""
        chapters = []
        for entry in course_lists()[LESSONS]:
            path = next(iter(entry.values()))
            text = (ROOT / path).read_text(encoding="utf-8")
            chapters.append(chapter(
                text, lambda target: self.target(target, path),
                f"chapter-{posixpath.basename(path)[:-3]}"))
        settings = "---\ntitle: The whole course\nsearch:\n  exclude: true\n---\n"
        return (f"{settings}\n# The whole course\n\nPrint this page from your browser. Each chapter"
                " begins on a new sheet, and its answers stand at its end.\n\n"
                + "\n".join(chapters))

    def write_player(self, file):
        """Compresses the runs of a player, and gives it a link to the page that it belongs to.

        A file of `--player` has none, and can be read as it is.
        """
        path = file.relative_to(self.players).as_posix()
        page = self.pages_of_players.get(path)
        if not page:
            fail(f"no page leads to the player {path}")
        kind = KINDS[posixpath.dirname(page)]
        target = "index.html" if page == HOME else f"{page[:-3]}.html"
        address = posixpath.relpath(target, posixpath.dirname(f"players/{path}"))
        text = file.read_text(encoding="utf-8")
        start, header, rest = text.partition("<header>\n")
        if not header:
            fail(f"the player {path} has no header for its link")
        rest, count = RUNS.subn(compressed, rest)
        if count != 1:
            fail(f"the player {path} has no runs")
        written = f'{start}{header}<a id="page" target="_top" href="{address}">← To the {kind}</a>\n{rest}'
        if page == HOME and len(written.encode()) > MOST_OF_HOME:
            fail(f"the home page's stage has {len(written.encode())} bytes, over {MOST_OF_HOME}")
        self.write(f"players/{path}", written)
        for index, form in enumerate((text, written)):
            self.sizes[index] += len(form.encode())

    @functools.cache
    def runs(self, scenario):
        """The table of runs in a scenario's player."""
        file = self.players / f"{scenario}.html"
        if not file.is_file():
            fail(f"no player of {scenario}")
        return json.loads(RUNS.search(file.read_text(encoding="utf-8")).group(1))

    def opening(self, scenario):
        """The title of the part that a player opens on, and whether its things can be moved."""
        runs = self.runs(scenario)
        title = runs["program"]["parts"][runs["part"] - 1]
        variant = next(
            variant for variant in runs["variants"]
            if (variant["part"], variant["flags"]) == (runs["part"], runs["flags"]))
        return title, any(len(times) > 1 for group in variant["groups"] for times in group["times"])

    def still(self, scenario, address):
        """A picture of the part that a player opens on, which leads to it. Phones show this only."""
        title, can_move = self.opening(scenario)
        # The name that `make docs` gives the picture.
        slug = re.sub(r"[^a-z0-9]+", "-", re.sub("['’]", "", title.lower())).strip("-")
        pictures = [f"docs/pictures/{scenario}/{slug}{form}.svg" for form in ("-narrow", "")]
        picture = next((path for path in pictures if path in self.files), None)
        # A scenario whose parts only print has no pictures.
        if not picture and any(path.startswith(f"docs/pictures/{scenario}/") for path in self.files):
            fail(f"no picture of '{title}', the part that the player of {scenario} opens on")
        image = f'<img src="../../{picture}" alt="" loading="lazy">' if picture else ""
        verb = "Drag" if can_move else "Play"
        return (f'<a class="player-still" href="{address}">{image}'
                f"<span>{verb}: {html.escape(title)}</span></a>")

    def with_player(self, text, scenario):
        """Puts the player below the opening of a scenario's page, and leads to it from the title.

        If things can be moved, the reader begins with the finished run. Else the run is played. On a
        phone, the opening alone fills the window.
        """
        page = f"../../players/{scenario}.html"
        frame = (
            f'<iframe class="player" src="{page}" title="{scenario} on stage" loading="lazy"'
            ' allow="fullscreen"></iframe>')
        self.pages_of_players[f"{scenario}.html"] = f"docs/scenarios/{scenario}.md"
        _, can_move = self.opening(scenario)
        address, call, lead = (page, "Drag what happens", (
            "Drag a handle to another time, and see what follows from it, in the picture and for the"
            " user. The arrow keys step from event to event.")) if can_move else (
            f"{page}?play", "Play this run", "The arrow keys step from event to event.")
        section = (
            "## Play with it\n\n"
            f'<span class="player-keys">{lead}</span>'
            f" [Open the stage on a page of its own]({page}){{ .player-link }}, or [predict each"
            f" step]({page}?predict) before you see it. `make play SCENARIO={scenario}` [runs it"
            f" live](../play.md), at any time and with your own changes.\n\n{frame}\n"
            f"{self.still(scenario, address)}\n\n{self.marble_links(text)}")
        opening, heading, rest = text.partition("\n## ")
        if not heading:
            fail(f"docs/scenarios/{scenario}.md has no section for the player to stand above")
        title, newline, opening = opening.partition("\n")
        start = f'\n<a class="md-button md-button--primary play" href="{address}">{call}</a>\n'
        return f"{title}{newline}{start}{opening}\n{section}## {rest}"

    def with_ways(self, text, path):
        """Says on the first screen of a recipe what there is below it."""
        ways = [("The recipe", "The code"), ("A run", "See it run")]
        links = [f'<a class="md-button" href="#{heading.lower().replace(" ", "-")}">{name}</a>'
                 for heading, name in ways if f"\n## {heading}\n" in text]
        title, opening, rest = text.split("\n\n", 2)
        if not links:
            fail(f"{path} has neither a recipe nor a run to lead to")
        return f"{title}\n\n{opening}\n\n{' '.join(links)}\n\n{rest}"

    def with_example_players(self, text, operator):
        """Leads from each picture of an operator to the player of the same run."""
        def with_link(picture):
            name = picture.group(1)
            if not (self.players / "operators" / f"{name}.html").is_file():
                fail(f"docs/operators/{operator}.md: no player of {name}")
            self.pages_of_players[f"operators/{name}.html"] = f"docs/operators/{operator}.md"
            address = f"../../players/operators/{name}.html"
            return (f"{picture.group(0)}\n[Step through this run]({address}){{ .player-link }} or"
                    f" [predict each step]({address}?predict){{ .player-link }}\n")
        linked, count = re.subn(
            r'<picture>\n(?:  <source .+\n)?  <img src="\.\./pictures/operators/([^"]+)\.svg".+\n'
            r"</picture>\n", with_link, text)
        if count != text.count("<picture>"):
            fail(f"docs/operators/{operator}.md has a picture that leads to no player")
        return linked

    def with_marbles(self, text, operator):
        """Puts stages above the code of the example, on which a reader moves what comes in.

        Without scripts, the pictures of the page show the operator.
        """
        stages = self.stages(operator)
        if not stages:
            return text
        heading = "\n## Example\n"
        if text.count(heading) != 1:
            fail(f"docs/operators/{operator}.md has no heading 'Example' for the marbles")
        section = "\n### Move the marbles\n"
        for stage in stages:
            self.pages_of_players[f"marbles/{stage['part']}.html"] = f"docs/operators/{operator}.md"
            address = f"../../players/marbles/{stage['part']}.html"
            code = "".join(line.strip() for line in stage["code"].splitlines())
            goals = "".join(
                f'<li data-goal="{html.escape(json.dumps(goal))}">{goal["text"]}</li>'
                for goal in stage["goals"])
            section += (
                f"\n{stage['lead']}\n\n`{code}`\n\n"
                '<div class="marbles" hidden>\n<p>Drag the round marbles, or choose one with the'
                ' tab key and move it with the arrow keys.</p>\n<iframe class="brief"'
                f' data-src="{address}?brief&amp;tell=output" title="A stage: move the marbles of'
                f' {stage["part"]}"></iframe>\n<p role="status"></p>\n<ul class="goals">{goals}</ul>\n'
                f'<p class="whole"><a href="{address}">The whole stage</a>, with its code</p>\n</div>\n')
        section += (
            "\n<noscript><p>To move marbles here, this page needs JavaScript.</p></noscript>\n"
            "\n### In code\n")
        return text.replace(heading, heading + section)

    def stages(self, operator):
        """The stages of an operator's page: `throttle--first` is another one of `throttle`."""
        return [stage for stage in self.marbles if stage["part"].split("--")[0] == operator]

    def marble_links(self, text):
        """Leads from a scenario's page to the marbles of the operators that it uses."""
        listed = re.search(r" · Operators: (.+)", text)
        operators = re.findall(
            r"\[([^\]]+)\]\((\.\./operators/([^)]+)\.md)\)", listed.group(1) if listed else "")
        links = [f"[{title}]({address}#example)"
                 for title, address, name in operators if self.stages(name)]
        return "" if not links else (
            f"What else could happen? Move the marbles of {', '.join(links)}.\n\n")

    def with_cards(self, text):
        """Makes a card of each operator in the index, with its picture, and a filter above them."""
        def card(match):
            titles, file, purposes = match.groups()
            path = f"{posixpath.dirname(OPERATORS)}/{file}"
            page = (ROOT / path).read_text(encoding="utf-8")
            opening = re.match(r"# [^\n]+\n\n(.+?)\n\n", page, re.DOTALL)
            picture = re.search(r'<img src="([^"]+)"', page)
            if not opening or not picture:
                fail(f"{path} has no first sentence or no picture for its card")
            words = html.escape(json.dumps(self.words.get(path, []), ensure_ascii=False))
            about = html.escape(plain(opening.group(1)))
            return (
                f'<li class="card" data-words="{words}" data-about="{about}">'
                f'<a href="{file[:-3]}.html#example">'
                f'<img src="{self.thumbnail(picture.group(1))}" alt="" loading="lazy">'
                f"<b>{html.escape(titles)}</b></a><span>{html.escape(plain(purposes))}</span>"
                + ("<em>Move its marbles</em>" if self.stages(file[:-3]) else "") + "</li>\n")

        item = r"^- +\[([^\]]+)\]\(([^)/]+\.md)\): (.+)\n"
        grids, count = re.subn(
            rf"(?:{item})+", lambda group: '<ul class="cards">\n'
            + re.sub(item, card, group.group(0), flags=re.MULTILINE) + "</ul>\n",
            text, flags=re.MULTILINE)
        opening, heading, rest = grids.partition("\n## ")
        if not count or not heading:
            fail(f"{OPERATORS} has no section with lists of operators")
        title, newline, rest = rest.partition("\n")
        box = (
            '\n<div class="filter" hidden>\n<label>What do you want to do? <input type="search"'
            ' placeholder="wait, retry, combine" autocomplete="off"></label>\n'
            '<p role="status"></p>\n<ul class="cards" hidden></ul>\n</div>\n')
        return f"{opening}{heading}{title}{newline}{box}{rest}"

    def thumbnail(self, address):
        """Writes a picture of an operator without its title and key, and returns its address."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(OPERATORS), address))
        picture = (ROOT / path).read_text(encoding="utf-8")
        size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="[\d.]+" height="[\d.]+"', picture)
        # The lines of the instants begin below the axis, and end where the lanes do.
        line = re.search(r'<path class="h" d="M[\d.]+ ([\d.]+)V([\d.]+)', picture)
        if not size or not line:
            fail(f"{path} has no line at an instant, so it can't be cut off above its key")
        top = max(0, int(float(line.group(1))) - 32)
        width, height = size.group(1), int(float(line.group(2))) + 4 - top
        picture = picture.replace(
            size.group(0), f'viewBox="0 {top} {width} {height}" width="{width}" height="{height}"')
        picture = re.sub(r'<text class="t f"[^>]*>[^<]*</text>\n', "", picture)
        picture = re.sub(r'<g id="key">.*?</g>\n', "", picture, flags=re.DOTALL)
        # The frame around it is that of the card.
        picture = re.sub(r'<rect class="g"[^>]*/>\n', "", picture)
        thumbnail = path.replace("docs/pictures/", "docs/pictures/thumbnails/")
        self.write(thumbnail, picture)
        return posixpath.relpath(thumbnail, posixpath.dirname(OPERATORS))

    def with_start(self, text):
        """Opens the home page with a stage in the place of README's moving picture.

        Without scripts, the picture stays.
        """
        picture = re.search(r"<picture id=\"film\">\n  <source .+drag-dark\.webp.+\n  <img .+\n</picture>\n", text)
        if not picture:
            fail(f"{HOME} doesn't begin with its moving picture")
        runs = RUNS.search((self.players / "home.html").read_text(encoding="utf-8")).group(1)
        for theme in ("light", "dark"):
            film = ROOT / f"docs/film/drag-{theme}.webp"
            if hashlib.sha256(runs.encode()).hexdigest()[:12].encode() not in film.read_bytes():
                fail(f"{film.relative_to(ROOT)} shows other runs than the home page: make film")
            self.copy(film.relative_to(ROOT).as_posix())
        frame = (
            '<p class="lead">Drag the old response past the new one.</p>\n'
            '<iframe class="brief" hidden data-src="players/home.html?brief#part=1&amp;flag=without-switch'
            '&amp;move=GET+/search?q%3Dsw+to+800ms" title="A stage: drag the response to sw"></iframe>\n'
            f"<noscript>{picture.group(0)}</noscript>\n"
            '<p class="whole"><a href="players/search-as-you-type.html#part=1&amp;flag=without-switch">'
            "The whole stage</a>, with its code</p>\n")
        return text.replace(picture.group(0), f'<div class="start">\n{frame}</div>\n', 1)

    def target(self, target, page):
        """Where a link of a page leads on the site."""
        path, mark, anchor = target.partition("#")
        if not path:
            return target
        file = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if file in self.pages:
            return target
        if file == ".":
            return posixpath.join(path, "README.md")
        if file in self.folders:
            self.wanted.append(file)
            return posixpath.join(path, "index.md")
        if file not in self.files:
            fail(f"{page} links {target}, which isn't a file of the repository")
        self.wanted.append(file)
        return self.page_name(path) + mark + anchor

    @staticmethod
    def page_name(file):
        """What the generator takes for a file of the repository: a page of it, or the file itself."""
        return file if file.endswith(DATA) else f"{file}.md"

    def write_source(self, path):
        if path in self.folders:
            children = sorted({
                file[len(path) + 1:].split("/")[0] for file in self.files
                # The generator leaves out hidden files.
                if file.startswith(path + "/") and not file.startswith(path + "/.")})
            items = []
            for child in children:
                child_path = f"{path}/{child}"
                self.wanted.append(child_path)
                is_folder = child_path in self.folders
                name = f"{child}/index.md" if is_folder else self.page_name(child)
                items.append(f"- [{child}]({name})\n")
            self.write(f"{path}/index.md", self.source_page(path, "".join(items)))
            return
        if path.endswith(DATA):
            self.copy(path)
            return
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        language = LANGUAGES.get(posixpath.splitext(path)[1], "text")
        marks = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
        newline = "" if text.endswith("\n") else "\n"
        # Snapshots have thousands of lines, and the numbers would be most of the page.
        numbers = "" if language == "text" else " linenums=\"1\""
        code = f"{marks} {{ .{language}{numbers} }}\n{text}{newline}{marks}\n"
        self.write(f"{path}.md", self.source_page(path, code))

    @staticmethod
    def source_page(path, content):
        """A page of a file or folder. The search leaves it out."""
        name = posixpath.basename(path)
        settings = f"---\ntitle: {json.dumps(name)}\nsearch:\n  exclude: true\n---\n"
        return f"{settings}\n# {name}\n\n`{path}`\n\n{content}"

    def write(self, path, text):
        file = self.staging / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def copy(self, path):
        (self.staging / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, self.staging / path)


def main():
    staging, site = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    players = Path(sys.argv[3]).resolve()
    shutil.rmtree(staging, ignore_errors=True)
    pages = Site(staging / "pages", players)
    pages.stage()
    before, after = (round(size / 1000) for size in pages.sizes)
    print(f"site: the players have {after} KB, and {before} KB before their runs were compressed")
    # JSON is YAML.
    settings = {
        "INHERIT": str(HERE / "mkdocs.yml"), "theme": {"custom_dir": str(HERE / "overrides")},
        "hooks": [str(HERE / "hooks.py")],
        "docs_dir": str(staging / "pages"),
        "site_dir": str(site), "nav": navigation(pages.pages)}
    (staging / "mkdocs.yml").write_text(json.dumps(settings, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
