"""Checks the built site: every link and anchor, and every page in headless Chromium.

It also counts what each page has, so that nothing of a Markdown page gets lost on its way to the site.

Each page is opened from disk in light, and from a server under a sub-path in dark, or the other way
round, both at the width of a phone and of a desktop. The pages of sources are many and alike, and so
are the players of the operators' examples, so only some of these are opened. A page passes if the
console stays empty, nothing has to be scrolled sideways, and all pictures are loaded.

Usage: check.py SITE_FOLDER
"""

import base64
import collections
import functools
import html.parser
import http.server
import os
import re
import shutil
import struct
import sys
import tempfile
import threading
import time
import urllib.parse
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import first_sight
from check_files import heavy_pages, young_features
from check_marbles import movable_marbles
from check_phone import players_on_a_phone
from markdown_rules import FENCE, ITEM, closes
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

WIDTHS = {"phone": 390, "desktop": 1280}
SCHEMES = ["light", "dark"]
PREFIX = "/some/path/"

# What the page has after it has loaded all its pictures, also those that load when they're seen.
STATE = """
const done = arguments[arguments.length - 1];
const images = [...document.images];
images.forEach((image) => (image.loading = "eager"));
const loaded = (image) =>
  image.complete ? null : new Promise((next) => (image.onload = image.onerror = next));
Promise.all([document.fonts.ready, ...images.map(loaded)]).then(() =>
  requestAnimationFrame(() => done({
    width: document.documentElement.scrollWidth,
    view: document.documentElement.clientWidth,
    broken: images.filter((image) => !image.naturalWidth).map((image) => image.currentSrc),
    scheme: document.body.getAttribute("data-md-color-scheme"),
    outside: performance.getEntriesByType("resource").map((entry) => entry.name)
      .filter((name) => /^https?:/.test(name) && !name.startsWith(location.origin)),
  })));
"""


class PageReader(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    ADDRESSES = {
        "a": ["href"], "link": ["href"], "script": ["src"], "img": ["src", "srcset"],
        "source": ["src", "srcset"], "iframe": ["src"],
    }

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name) and (name == "id" or tag == "a"):
                self.anchors.add(values[name])
        for name in self.ADDRESSES.get(tag, []):
            if values.get(name) is not None:
                self.links.append((self.getpos()[0], values[name].strip()))


class Links:
    """Follows every link of the site that doesn't leave it."""

    def __init__(self, site):
        self.site = site
        self.readers = {}

    def reader(self, file):
        if file not in self.readers:
            self.readers[file] = PageReader(file.read_text(encoding="utf-8"))
        return self.readers[file]

    def problems(self, pages):
        count, problems = 0, []
        for page in pages:
            for line, link in self.reader(page).links:
                complaint = self.complaint(page, link)
                count += 1
                if complaint:
                    problems.append(f"{page.relative_to(self.site)}:{line}: {complaint}")
        return count, problems

    def complaint(self, page, link):
        parts = urllib.parse.urlsplit(link)
        if parts.scheme in ("https", "mailto", "data"):
            # Scripts and pictures of other servers are found in the browser.
            return None
        # The page for what isn't found may be shown at any address, so its links begin with a slash.
        if parts.scheme or parts.netloc or (parts.path.startswith("/") and page.name != "404.html"):
            return f"the link {link} leads out of the site"
        path = urllib.parse.unquote(parts.path)
        base = self.site if path.startswith("/") else page.parent
        file = (base / path.lstrip("/")).resolve() if path else page
        if path.startswith("/") and file == self.site:
            return None
        if not file.is_relative_to(self.site) or not file.is_file():
            return f"the link {link} is broken: there is no such file"
        anchor = urllib.parse.unquote(parts.fragment)
        # The stage reads its own anchors.
        if not anchor or file.suffix != ".html" or "players" in file.relative_to(self.site).parts:
            return None
        if anchor not in self.reader(file).anchors and anchor != "__top":
            return f"the link {link} is broken: there is no anchor #{anchor}"
        return None


class Content(html.parser.HTMLParser):
    """Counts what the text of a page on the site holds."""

    def __init__(self, text):
        super().__init__()
        self.counts = collections.Counter()
        self.is_text = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "article":
            self.is_text = True
        # Goals belong to a stage, which the Markdown doesn't have.
        is_goal = "data-goal" in dict(attributes)
        if self.is_text and not is_goal and tag in ("details", "li", "picture", "pre", "table"):
            self.counts[tag] += 1

    def handle_endtag(self, tag):
        if tag == "article":
            self.is_text = False


def content_of_markdown(text):
    """Counts the same in a Markdown page."""
    counts, fence, previous = collections.Counter(), None, ""
    for line in text.split("\n"):
        match = FENCE.match(line)
        if fence is not None:
            fence = None if closes(line, fence) else fence
        elif match:
            fence = match.group(2)
            counts["pre"] += 1
        else:
            counts["details"] += "<details>" in line and "`<details>" not in line
            counts["picture"] += line.strip().startswith("<picture")
            counts["li"] += ITEM.match(line) is not None
            counts["table"] += line.lstrip().startswith("|") and not previous.startswith("|")
        previous = line.lstrip()
    return counts


def markdown_pages(root):
    """The Markdown pages, by the paths of their pages on the site."""
    pages = {}
    for page in [*root.glob("*.md"), *(root / "docs").rglob("*.md")]:
        path = page.relative_to(root).with_suffix(".html")
        pages[path.with_name("index.html") if path.name == "README.html" else path] = page
    return pages


def ways(site, pages, root):
    """The pages to open in each of four ways: all that people wrote, and some of the others."""
    written = markdown_pages(root)
    players = [page for page in pages if page.parent == site / "players"]
    examples = [page for page in pages if page.is_relative_to(site / "players" / "operators")]
    others = [page for page in pages if page.relative_to(site) in written] + players
    sources = [page for page in pages if page not in {*others, *examples}]
    # The ways are each pair of a place and a scheme. The first and the last one differ in both.
    return [
        others[way in (1, 2)::2] + examples[2 * way::8] + sources[16 * way::64]
        for way in range(4)]


def lost_content(site, root):
    """Compares the pages of the site with those that they were made from."""
    count, problems = 0, []
    for path, page in markdown_pages(root).items():
        expected = content_of_markdown(page.read_text(encoding="utf-8"))
        found = Content((site / path).read_text(encoding="utf-8")).counts
        count += 1
        problems += [
            f"{path}: it has {found[tag]} <{tag}>, but its Markdown {expected[tag]}"
            for tag in ("details", "li", "picture", "pre", "table") if found[tag] != expected[tag]]
    return count, problems


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site under a sub-path."""

    def translate_path(self, path):
        if not path.startswith(PREFIX):
            return os.path.join(self.directory, "nothing-here")
        return super().translate_path(path[len(PREFIX) - 1:])

    def do_GET(self):
        if self.path == "/favicon.ico":
            # Browsers ask for it on their own, outside the site.
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *arguments):
        pass


class Browser:
    """A headless Chromium."""

    def __init__(self, profile):
        options = Options()
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
        for argument in (
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                "--disable-background-networking", f"--user-data-dir={profile}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.page_load_strategy = "normal"
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_page_load_timeout(30)
        self.driver.set_script_timeout(30)

    def resize(self, width, height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def open(self, address, scheme, width=WIDTHS["phone"]):
        """Opens a page, at the width of a phone unless you say another."""
        self.resize(width)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.driver.get(address)

    def problems(self, width, scheme):
        """What's wrong with the open page at a width."""
        self.resize(width)
        state = self.driver.execute_async_script(STATE)
        # After a change of the width, the theme places its closed tooltips again within a second, and
        # a picture may load its other form.
        end = time.monotonic() + 15
        while (state["width"] > state["view"] or state["broken"]) and time.monotonic() < end:
            time.sleep(0.2)
            state = self.driver.execute_async_script(STATE)
        problems = [
            f"console: {entry['message']}" for entry in self.driver.get_log("browser")
            if entry["level"] in ("WARNING", "SEVERE")]
        if state["width"] > state["view"]:
            problems.append(f"scrolls sideways: {state['width']} px in {state['view']} px")
        problems += [f"picture not loaded: {address}" for address in state["broken"]]
        problems += [f"loads from elsewhere: {address}" for address in state["outside"]]
        # The stage has no switch of its own.
        if state["scheme"] not in (None, "slate" if scheme == "dark" else "default"):
            problems.append("doesn't follow the system's scheme")
        return problems


    def pixel(self, element):
        """The colour of a point near the upper left corner of an element."""
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        box = self.driver.execute_script(
            "const box = arguments[0].getBoundingClientRect();"
            "return [box.x + scrollX + 12, box.y + scrollY + 5]", element)
        picture = base64.b64decode(self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "clip": {"x": box[0], "y": box[1], "width": 1, "height": 1, "scale": 1}})["data"])
        data, index = b"", 8
        while index < len(picture):
            (length,) = struct.unpack(">I", picture[index:index + 4])
            if picture[index + 4:index + 8] == b"IDAT":
                data += picture[index + 8:index + 8 + length]
            index += length + 12
        # After the byte of the filter, which has nothing to do in a picture of one pixel.
        return tuple(zlib.decompress(data)[1:4])


def theme_switch(browser, origin):
    """Chooses the other theme than the system's, and looks at a picture and the stage."""
    problems = []
    driver = browser.driver
    for system, chosen in (("light", "dark"), ("dark", "light")):
        browser.open(f"{origin}docs/scenarios/decode-user.html", system)
        browser.resize(WIDTHS["desktop"])
        driver.execute_script("localStorage.clear()")
        driver.refresh()
        for _ in range(3):
            is_dark = driver.execute_script(
                "return document.body.getAttribute('data-md-color-scheme') === 'slate'")
            if is_dark == (chosen == "dark"):
                break
            driver.execute_script(
                "[...document.querySelectorAll('label[for^=__palette]')]"
                ".find((label) => label.offsetParent).click()")
            time.sleep(0.3)
        driver.execute_script("document.querySelectorAll('details').forEach((d) => (d.open = true))")
        driver.execute_async_script(STATE)
        images = driver.find_elements("css selector", "picture img")
        players = driver.find_elements("css selector", "iframe.player")
        if not images or not players:
            return ["decode-user shows no picture or no stage"]
        for name, element in (("picture", images[0]), ("stage", players[0])):
            end = time.monotonic() + 15
            while not (is_right := (sum(browser.pixel(element)) < 384) == (chosen == "dark")):
                if time.monotonic() > end:
                    break
                time.sleep(0.2)
            if not is_right:
                problems.append(f"the {name} stays {system} in the {chosen} theme")
    driver.execute_script("localStorage.clear()")
    return problems


def wait_for_event(driver, number=r"\d+"):
    """Waits until the stage of the page shows an event, and returns its text."""
    player = driver.find_element("css selector", "iframe.player")
    end = time.monotonic() + 15
    while True:
        driver.switch_to.frame(player)
        text = driver.execute_script("return document.getElementById('where')?.innerText") or ""
        driver.switch_to.default_content()
        if re.match(rf"event {number} of ", text) or time.monotonic() > end:
            return text
        time.sleep(0.1)


def keys(browser, origin):
    """Steps back from the end of a run with the arrow keys, without a click into the stage."""
    driver = browser.driver
    browser.open(f"{origin}docs/scenarios/retry-then-fallback.html", "light")
    browser.resize(WIDTHS["desktop"])
    player = driver.find_element("css selector", "iframe.player")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", player)
    opening = wait_for_event(driver)
    count = int((re.findall(r"\d+", opening) or [0])[-1])
    if count < 5 or opening != f"event {count} of {count}":
        return [f"the stage doesn't open on the end of its run, but on {opening!r}"]
    for key, number in (*((Keys.ARROW_LEFT, count - n) for n in range(1, 5)),
                        (Keys.ARROW_RIGHT, count - 3)):
        webdriver.ActionChains(driver).send_keys(key).perform()
        text = wait_for_event(driver, number)
        if f"event {number} of " not in text:
            return [f"expected event {number}, but the stage says: {text!r}"]
    return []


def dragging(browser, origin):
    """Drags the response to an old query past the new one in a lesson, and looks at the screen."""
    driver = browser.driver
    browser.open(f"{origin}docs/scenarios/search-as-you-type.html", "light", WIDTHS["desktop"])
    player = driver.find_element("css selector", "iframe.player")
    driver.execute_script("arguments[0].scrollIntoView({block: 'end'})", player)
    wait_for_event(driver)
    driver.switch_to.frame(player)
    driver.find_element("css selector", "[name=without-switch]").click()

    def shows(text):
        end, screen = time.monotonic() + 15, ""
        while text not in screen and time.monotonic() < end:
            time.sleep(0.05)
            screen = driver.find_element("id", "screen").text
        return [] if text in screen else [f"the screen has no {text}: {screen!r}"]

    handles = {
        name: driver.find_element("css selector", f".handle.response[aria-label$='q={name}']")
        for name in ("sw", "swift")}
    problems = shows('"sway"')
    distance = handles["swift"].rect["x"] - handles["sw"].rect["x"] - 30
    # A pointer that jumps isn't dragged.
    actions = webdriver.ActionChains(driver, duration=50).click_and_hold(handles["sw"])
    for _ in range(10):
        actions.move_by_offset(round(distance / 10), 0)
    actions.release().perform()
    problems += shows('"swiftly"')
    driver.switch_to.default_content()
    return problems


def example_player(browser, origin):
    """Follows the link below an operator's picture, and steps back in that one run."""
    driver = browser.driver
    browser.open(f"{origin}docs/operators/scan.html", "light")
    browser.resize(WIDTHS["desktop"])
    driver.find_element("css selector", "a.player-link").click()
    problems = []
    heading = driver.find_element("css selector", "h1").text
    if heading != "Each payment changes the balance":
        problems.append(f"the stage of scan has the heading {heading!r}")
    if driver.find_element("id", "part").is_displayed():
        problems.append("a stage of one part offers a list of parts")
    count = int(driver.find_element("id", "where").text.split()[-1])
    driver.find_element("id", "back").click()
    where = driver.find_element("id", "where").text
    if where != f"event {count - 1} of {count}":
        problems.append(f"expected event {count - 1}, but the stage says: {where!r}")
    return problems


def links_to_events(browser, origin):
    """Follows links to events of a page's stage. Each is one step in the history."""
    driver = browser.driver
    # A tab of its own, because Chromium counts at most 50 steps.
    driver.switch_to.new_window("tab")
    browser.open(
        f"{origin}docs/scenarios/retry-then-fallback.html#part=3&event=15", "light",
        WIDTHS["desktop"])
    problems = []
    for number, steps in ((15, 0), (4, 1), (9, 2)):
        if steps == 0:
            start = driver.execute_script("return history.length")
        else:
            driver.execute_script("location.hash = arguments[0]", f"part=3&event={number}")
        text = wait_for_event(driver, number)
        if f"event {number} of " not in text:
            problems.append(f"a link to event {number}, but the stage says: {text!r}")
        added = driver.execute_script("return history.length") - start
        if added != steps:
            problems.append(f"{added} steps in the history after {steps} links")
    problems += [entry["message"] for entry in driver.get_log("browser")]
    return problems


def check_pages(site, pages, origin, name):
    """Opens the pages of one origin, which it has for each scheme, in all widths."""
    count, problems = 0, []
    with tempfile.TemporaryDirectory(prefix="site-check-", ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            for scheme, scheme_pages in zip(SCHEMES, pages, strict=True):
                for page in scheme_pages:
                    path = page.relative_to(site).as_posix()
                    browser.open(origin + urllib.parse.quote(path), scheme)
                    for device, width in WIDTHS.items():
                        count += 1
                        problems += [
                            f"{path} ({name}, {device}, {scheme}): {problem}"
                            for problem in browser.problems(width, scheme)]
            checks, found = first_sight.problems(browser, origin)
            count += 8 + checks
            problems += [f"{title} ({name}): {problem}" for title, problem in found]
            problems += [
                f"examples ({name}): {problem}" for problem in example_player(browser, origin)]
            problems += [
                f"marbles ({name}): {problem}"
                for problem in movable_marbles(browser, origin, site)]
            problems += [
                f"phone ({name}): {problem}" for problem in players_on_a_phone(browser, origin)]
            problems += [f"copying ({name}): {problem}" for problem in copying(browser, origin)]
            problems += [f"keys ({name}): {problem}" for problem in keys(browser, origin)]
            problems += [f"dragging ({name}): {problem}" for problem in dragging(browser, origin)]
            problems += [
                f"links ({name}): {problem}" for problem in links_to_events(browser, origin)]
            problems += [f"theme ({name}): {problem}" for problem in theme_switch(browser, origin)]
        finally:
            browser.driver.quit()
    return count, problems


def copying(browser, origin):
    """What the button "Copy" of a command takes."""
    browser.open(f"{origin}index.html", "light")
    end = time.monotonic() + 15
    texts = []
    while time.monotonic() < end and not texts:
        time.sleep(0.1)
        texts = browser.driver.execute_script(
            "return [...document.querySelectorAll('[data-clipboard-text]')]"
            ".map((button) => button.dataset.clipboardText)")
    if texts[:1] != ["make play SCENARIO=search-as-you-type"]:
        return [f"the command isn't copied without its prompt: {texts}"]
    return []


def main():
    site = Path(sys.argv[1]).resolve()
    pages = sorted(site.rglob("*.html"))
    if not pages:
        sys.exit(f"site-check: no pages in {site}. Build them with: make site")
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            sys.exit(
                f"site-check: needs {program}: on Debian, apt-get install chromium chromium-driver")
    links, problems = Links(site).problems(pages)
    root = Path(__file__).resolve().parents[2]
    pages_compared, lost = lost_content(site, root)
    passed = links - len(problems) + pages_compared - len({line.split(": ")[0] for line in lost})
    files, young = young_features(site)
    weights, heavy = heavy_pages(site, pages)
    passed += files - len({line.split(": ")[0] for line in young}) + weights - len(heavy)
    problems += lost + young + heavy
    # A server shows the page for what isn't found at any address. From disk, nothing does.
    shown = [page for page in pages if page != site / "404.html"]
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origins = {
        "from disk": site.as_uri() + "/",
        "from a server": f"http://127.0.0.1:{server.server_port}{PREFIX}"}
    opened = 0
    with ThreadPoolExecutor() as pool:
        shares = ways(site, shown, root)
        runs = [
            pool.submit(check_pages, site, shares[2 * index:2 * index + 2], origin, name)
            for index, (name, origin) in enumerate(origins.items())]
        for run in runs:
            try:
                count, found = run.result()
            except WebDriverException as error:
                sys.exit(f"site-check: the browser stopped: {error.msg.splitlines()[0]}")
            failed = len({problem.split(": ")[0] for problem in found})
            passed += count - failed
            opened += count
            problems += found
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"site-check: {len(pages)} pages, {links} links, {opened} visits")
    print(f"site-check: {passed} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
