"""Stages the site: copies the pages, and makes a page of each file that they link.

The staged tree mirrors the repository, so that relative links keep their form. A file such as
`Scenarios/decode-user/main.swift` becomes the page `Scenarios/decode-user/main.swift.html`.

Usage: stage.py STAGING_FOLDER SITE_FOLDER PLAYERS_FOLDER MARBLES_FOLDER
"""

import html
import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

from markdown_rules import chapter, rewrite

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
HOME = "README.md"
# The part of its run that the home page's picture shows: the fallback succeeds.
HOME_PART = "#part-3"
COURSE = "docs/README.md"
TEACHERS = "docs/for-teachers.md"
# Next to the pages that it consists of, so that their links work in it.
PRINT = "docs/scenarios/whole-course.md"
OPERATORS = "docs/operators/README.md"
RECIPES = "docs/recipes/README.md"
EXERCISES = "docs/exercises/README.md"
LANGUAGES = {".swift": "swift", ".sh": "bash", ".md": "markdown", ".json": "json", ".py": "python"}
CONTRIBUTORS = "For contributors"
# How much a page for contributors counts in the search. A match in a heading counts a thousand times.
CONTRIBUTORS_BOOST = 0.001
LISTED = re.compile(r"^(?:\d+\.|-) \[`?([^\]`]+)`?\]\(([^)]+\.md)\)", re.MULTILINE)


def fail(message):
    sys.exit(f"site: {message}")


class Site:
    """The pages that are staged, and those that are still to be made."""

    def __init__(self, staging, players, marbles):
        self.staging = staging
        self.players = players
        self.marbles = marbles
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
        # What people search who don't know this library's words for it.
        self.search_words = json.loads((HERE / "search_words.json").read_text(encoding="utf-8"))
        unknown = set(self.search_words) - set(self.pages)
        if unknown:
            fail(f"search_words.json names pages that don't exist: {', '.join(sorted(unknown))}")
        self.contributors = {
            next(iter(entry.values())) for entry in self.course_lists()[CONTRIBUTORS]}

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
        shutil.copytree(self.players, self.staging / "players")

    def page(self, path):
        text = (ROOT / path).read_text(encoding="utf-8")
        try:
            text = rewrite(text, lambda target: self.target(target, path))
        except ValueError as error:
            fail(f"{path}: {error}")
        scenario = re.fullmatch(r"docs/scenarios/(.+)\.md", path)
        if scenario:
            text = self.with_player(text, scenario.group(1))
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
        if path in self.search_words:
            words = ", ".join(self.search_words[path])
            text += f"\nAlso searched as: {words}.\n{{ .search-words }}\n"
        if self.is_for_contributors(path):
            text = f"---\nsearch:\n  boost: {CONTRIBUTORS_BOOST}\n---\n\n{text}"
        return text

    def is_for_contributors(self, path):
        """Whether the search shows a page below those for users."""
        return (path in self.contributors or path in ("CONTRIBUTING.md", "CHANGELOG.md")
                or path.startswith("docs/contributing/"))

    def whole_course(self):
        """All pages of the course, one after the other, to print."""
        chapters = []
        for entry in self.course_lists()["Course"]:
            path = next(iter(entry.values()))
            text = (ROOT / path).read_text(encoding="utf-8")
            chapters.append(chapter(
                text, lambda target: self.target(target, path),
                f"chapter-{posixpath.basename(path)[:-3]}"))
        settings = "---\ntitle: The whole course\nsearch:\n  exclude: true\n---\n"
        return (f"{settings}\n# The whole course\n\nPrint this page from your browser. Each chapter"
                " begins on a new sheet, and its answers stand at its end.\n\n"
                + "\n".join(chapters))

    def player(self, scenario, up, part="", kind="player"):
        if not (self.players / f"{scenario}.html").is_file():
            fail(f"no player of {scenario}")
        address = f"{up}players/{scenario}.html"
        frame = (
            f'<iframe class="{kind}" src="{address}{part}" title="The player of {scenario}"'
            ' loading="lazy" allow="fullscreen"></iframe>')
        return address, frame

    def with_player(self, text, scenario):
        """Puts the player below the opening of a scenario's page."""
        address, frame = self.player(scenario, "../../")
        section = (
            "## Step through the run\n\n"
            "Choose a part, then press the right arrow key for the next event, and the left one for"
            " the event before. Hold Shift to stay in a lane. Click into the player for its other"
            " keys: Home, End, and the space bar to play."
            f" [Open the player on a page of its own]({address}){{ .player-link }}, or [predict each"
            f" step]({address}?predict) before you see it.\n\n{frame}\n\n")
        opening, heading, rest = text.partition("\n## ")
        if not heading:
            fail(f"docs/scenarios/{scenario}.md has no section for the player to stand above")
        return f"{opening}\n{section}## {rest}"

    def with_example_players(self, text, operator):
        """Leads from each picture of an operator to the player of the same run."""
        def with_link(picture):
            name = picture.group(1)
            if not (self.players / "operators" / f"{name}.html").is_file():
                fail(f"docs/operators/{operator}.md: no player of {name}")
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
        """Puts marbles that a reader moves above the example. Without scripts, nothing is there.

        A table `throttle--first.json` has another diagram for the page of `throttle`.
        """
        tables = [*self.marbles.glob(f"{operator}.json"),
                  *sorted(self.marbles.glob(f"{operator}--*.json"))]
        if not tables:
            return text
        heading = "\n## Example\n"
        if text.count(heading) != 1:
            fail(f"docs/operators/{operator}.md has no heading 'Example' for the marbles")
        section = "\n## Move the marbles\n"
        for path in tables:
            table = path.read_text(encoding="utf-8")
            data = json.loads(table)
            variant = path.stem.partition("--")[2]
            key = f"marbles-{variant}" if variant else "marbles"
            ends = " and the end" if any("end" in lane for lane in data["inputs"]) else ""
            how = "" if variant else (
                f" Drag the marbles{ends}, or choose one with the tab key and move it with the arrow"
                " keys.")
            code = "".join(line.strip() for line in data["code"].splitlines())
            section += (
                f"\n{data['lead']}{how}\n\n`{code}`\n\n"
                f'<div class="movable" data-key="{key}"><script type="application/json">'
                + table.replace("<", "\\u003c") + "</script></div>\n")
        return text.replace(heading, section + heading)

    def with_cards(self, text):
        """Puts a card of each operator above its index: its picture, and what it's for."""
        cards = []
        for path in self.pages:
            if posixpath.dirname(path) != posixpath.dirname(OPERATORS) or path == OPERATORS:
                continue
            page = (ROOT / path).read_text(encoding="utf-8")
            title = re.match(r"# ([^\n]+)\n\n(.+?)\n\n", page, re.DOTALL)
            uses = re.search(r"^Use it to:\n\n((?:- .+\n|  .+\n)+)", page, re.MULTILINE)
            picture = re.search(r'<img src="([^"]+)"', page)
            if not title or not picture:
                fail(f"{path} has no first sentence or no picture for its card")
            plain = html.escape(re.sub(r"\[([^\]]+)\]\([^)]+\)|[`*]", r"\1", title.group(2)))
            words = " ".join([title.group(2), uses.group(1) if uses else "",
                              *self.search_words.get(path, [])])
            words = html.escape(re.sub(r"[^\w ]+", " ", f"{title.group(1)} {words}").lower())
            cards.append(
                f'<a class="card" href="{posixpath.basename(path)[:-3]}.html" data-words="{words}">'
                f'<img src="{self.thumbnail(picture.group(1))}" alt="" loading="lazy">'
                f"<b>{html.escape(title.group(1))}</b><span>{plain}</span></a>")
        grid = (
            '\n<div class="cards">\n'
            '<label>What do you want to do? <input type="search" placeholder="wait, retry, combine"'
            ' autocomplete="off"></label>\n<p role="status"></p>\n'
            f'<div>{"".join(cards)}</div>\n</div>\n')
        opening, heading, rest = text.partition("\n## ")
        return f"{opening}\n{grid}{heading}{rest}"

    def thumbnail(self, address):
        """Writes a picture of an operator without its key, and returns its address."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(OPERATORS), address))
        picture = (ROOT / path).read_text(encoding="utf-8")
        size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="[\d.]+" height="[\d.]+"', picture)
        # The lines of the instants end where the lanes do.
        line = re.search(r'<path class="h" d="M[\d.]+ [\d.]+V([\d.]+)', picture)
        if not size or not line:
            fail(f"{path} has no line at an instant, so it can't be cut off above its key")
        width, height = size.group(1), int(float(line.group(1))) + 4
        picture = picture.replace(
            size.group(0), f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"')
        # The frame around it is that of the card.
        picture = re.sub(r'<rect class="g"[^>]*/>\n', "", picture)
        thumbnail = path.replace("docs/pictures/", "docs/pictures/thumbnails/")
        self.write(thumbnail, picture)
        return posixpath.relpath(thumbnail, posixpath.dirname(OPERATORS))

    def with_start(self, text):
        """Puts two buttons and a player at the start of the home page.

        Without scripts, the player is empty, and the picture that it stands for is shown.
        """
        match = re.match(
            r"(# (?s:.+?)\n)(\n```.*\n(?s:.+?))(<picture>\n(?:  <source .+\n)?"
            r"  <img src=\"docs/pictures/([^/]+)/.+\n</picture>\n)", text)
        if not match:
            fail(f"{HOME} doesn't begin with a sentence, a command, and the picture of its run")
        opening, command, picture, scenario = match.groups()
        _, frame = self.player(scenario, "", HOME_PART, "player home")
        return (
            f"{opening}\n"
            f"[Watch a run](docs/scenarios/{scenario}.md){{ .md-button .md-button--primary }}"
            f" [Start the course]({COURSE}){{ .md-button }}\n{command}"
            f"{frame}\n\n<noscript>\n{picture.strip()}\n</noscript>\n" + text[match.end():])

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
        return path + ".md" + mark + anchor

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
                name = f"{child}/index.md" if child_path in self.folders else f"{child}.md"
                items.append(f"- [{child}]({name})\n")
            self.write(f"{path}/index.md", self.source_page(path, "".join(items)))
            return
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        language = LANGUAGES.get(posixpath.splitext(path)[1], "text")
        marks = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
        newline = "" if text.endswith("\n") else "\n"
        code = f"{marks} {{ .{language} linenums=\"1\" }}\n{text}{newline}{marks}\n"
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

    def operators(self):
        """The pages of operators, in the sections of their index. A page has one place."""
        text = (ROOT / OPERATORS).read_text(encoding="utf-8")
        return self.sections(OPERATORS, text.split("\n## ")[1])

    def sections(self, index, text, link=r"^- \[([^\]]+)\]\(([^)/]+\.md)\):"):
        """An index page, and the pages that each of its sections lists, in links of one form."""
        sections = re.split(r"^### (.+)$", text, flags=re.MULTILINE)
        if len(sections) < 3:
            fail(f"{index} has no sections of pages")
        folder = posixpath.dirname(index)
        listed = []
        for title, content in zip(sections[1::2], sections[2::2]):
            pages = dict(re.findall(link, content, re.MULTILINE))
            listed.append({title: [{name: f"{folder}/{file}"} for name, file in pages.items()]})
        shown = {path for section in listed for entry in next(iter(section.values()))
                 for path in entry.values()}
        lost = [path for path in self.pages
                if posixpath.dirname(path) == folder and path != index and path not in shown]
        if lost:
            fail(f"{index} doesn't list {', '.join(lost)} in a section")
        return [index, *listed]

    @staticmethod
    def course_sections():
        """The sections of the course's page, by their headings."""
        text = (ROOT / COURSE).read_text(encoding="utf-8")
        sections = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
        return dict(zip(["Course"] + sections[1::2], sections[0::2]))

    @staticmethod
    def listed(text):
        """The pages of a list in the course's page."""
        return [
            {name: posixpath.normpath(posixpath.join("docs", path))}
            for name, path in LISTED.findall(text)]

    def course_lists(self):
        """The lists of the course's page, by the headings of their sections."""
        return {title: self.listed(text) for title, text in self.course_sections().items()}

    def groups(self, section):
        """The lists of a section of the course's page, with their headings."""
        parts = re.split(r"^### (.+)$", self.course_sections()[section], flags=re.MULTILINE)
        return [(title, self.listed(text)) for title, text in zip(parts[1::2], parts[2::2])]

    def navigation(self):
        """The pages in the order of the course, then the lists below it."""
        entries = self.course_lists()
        for title in ("Course", "Guides", CONTRIBUTORS):
            if not entries.get(title):
                fail(f"{COURSE} has no list of pages under '{title}'")
        reference, guides = ["docs/reference/README.md"], []
        operators = self.operators()
        for title, group in self.groups("Guides"):
            members = []
            for entry in group:
                path = next(iter(entry.values()))
                if path in reference or path in (OPERATORS, RECIPES, EXERCISES):
                    continue
                (reference if path.startswith("docs/reference/") else members).append(entry)
            guides.append({title: members})
        return [
            {"Home": HOME},
            {"Course": [COURSE, *entries["Course"]]},
            {"Exercises": self.sections(
                EXERCISES, (ROOT / EXERCISES).read_text(encoding="utf-8"),
                r"^\| \d+ \| \[([^\]]+)\]\(([^)/]+\.md)\)")},
            {"Guides": guides},
            {"Recipes": self.sections(
                RECIPES, (ROOT / RECIPES).read_text(encoding="utf-8"))},
            {"Operators": operators},
            {"API reference": reference},
            {CONTRIBUTORS: [
                {"Contributing": "CONTRIBUTING.md"}, *entries[CONTRIBUTORS],
                {"Changelog": "CHANGELOG.md"}]},
        ]


def main():
    staging, site = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    players, marbles = Path(sys.argv[3]).resolve(), Path(sys.argv[4]).resolve()
    shutil.rmtree(staging, ignore_errors=True)
    pages = Site(staging / "pages", players, marbles)
    pages.stage()
    # JSON is YAML.
    settings = {
        "INHERIT": str(HERE / "mkdocs.yml"), "theme": {"custom_dir": str(HERE / "overrides")},
        "docs_dir": str(staging / "pages"),
        "site_dir": str(site), "nav": pages.navigation()}
    (staging / "mkdocs.yml").write_text(json.dumps(settings, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
