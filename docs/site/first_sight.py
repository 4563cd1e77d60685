"""Checks what newcomers meet first: the home page, the search, the filter of the operators, and what
axe-core finds on a page of each kind."""

import glob
import json
import re
import sys
import time
import urllib.parse
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

# The parts of a window that a visitor sees without scrolling.
WINDOWS = {"phone": (390, 844), "desktop": (1280, 900)}
QUESTIONS = json.loads(
    (Path(__file__).parent / "search_questions.json").read_text(encoding="utf-8"))
# One page of each kind.
KINDS = [
    "index.html", "docs/index.html", "docs/scenarios/search-as-you-type.html",
    "docs/operators/index.html", "docs/operators/debounce.html", "docs/recipes/index.html",
    "docs/recipes/debounce-a-search.html", "docs/glossary.html", "docs/cheat-sheet.html",
    "docs/exercises/running-total.html"]
# As many questions at least have their page in the first place.
FIRST = 39
OVERVIEWS = ["docs/cheat-sheet.html", "docs/operators/index.html", "docs/glossary.html"]
FOR_CONTRIBUTORS = (
    "/CONTRIBUTING.html", "/CHANGELOG.html", "/docs/contributing/", "/docs/architecture.html",
    "/docs/adding-an-operator.html", "/docs/unsafe-code.html")

AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, { iframes: false, preload: false, resultTypes: ["violations"] }).then(({ violations }) =>
  done(violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0].html.slice(0, 200)} `
    + nodes[0].failureSummary.replace(/\\s+/g, " "))));
"""

# The smallest text of the page's own content, and the largest gap that a hidden element leaves.
SIZES = """
const article = document.querySelector("article");
const small = [...article.querySelectorAll("p, li, td, th, code, span, b")].filter((element) =>
  element.checkVisibility() && [...element.childNodes].some((node) =>
    node.nodeType === Node.TEXT_NODE && node.textContent.trim())
  && !element.closest("svg, .md-annotation, .linenos, [hidden]")
  && parseFloat(getComputedStyle(element).fontSize) < 12);
const links = [...article.querySelectorAll(".headerlink")].filter((link) => {
  const heading = link.parentElement;
  const before = heading.getBoundingClientRect().height;
  link.style.display = "none";
  const without = heading.getBoundingClientRect().height;
  link.style.display = "";
  return before - without > 1;
});
return [
  ...small.slice(0, 1).map((element) => `${small.length} texts are smaller than 12 px: `
    + `${element.outerHTML.slice(0, 120)} has ${getComputedStyle(element).fontSize}`),
  ...links.slice(0, 1).map((link) =>
    `${links.length} signs of links leave an empty line: ${link.parentElement.innerText}`),
];
"""


def wait_for(browser, script, is_right, *arguments, seconds=10):
    """Waits until what a script returns is right, and returns the last of it."""
    end = time.monotonic() + seconds
    while not is_right(found := browser.driver.execute_script(script, *arguments)):
        if time.monotonic() > end:
            break
        time.sleep(0.05)
    return found


def show(browser, address, scheme, device):
    browser.open(address, scheme)
    width, height = WINDOWS[device]
    browser.resize(width, height)


def home(browser, origin):
    """The home page opens on a stage. Keys move the old response past the new one, and the wrong
    results appear on its screen."""
    driver, problems = browser.driver, []
    for device, (_, height) in WINDOWS.items():
        show(browser, f"{origin}index.html", "light", device)
        frame = driver.find_element("css selector", "article iframe.brief")
        place = (
            "const { top, bottom } = arguments[0].getBoundingClientRect();"
            "return [top + scrollY, bottom - top, document.querySelector('.lead')?.innerText]")
        top, size, lead = wait_for(browser, place, lambda found: found[1] > 400, frame)
        if lead != "Drag the old response past the new one." or size < 400:
            problems.append(f"{device}: the stage is {size} pixels high, below {lead!r}")
        if top > height - 200:
            problems.append(f"{device}: the stage begins at {top:.0f} of {height} pixels")
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", frame)
        driver.switch_to.frame(frame)
        screen = "return document.querySelector('#screen .field:last-child p')?.innerText"
        right = wait_for(browser, screen, bool)
        driver.execute_script("document.querySelector('.handle.moved').focus()")
        for _ in range(8):
            webdriver.ActionChains(driver).send_keys(Keys.ARROW_RIGHT).perform()
        wrong = wait_for(browser, screen, lambda found: found != right)
        offer = wait_for(
            browser, "return document.querySelector('#mend button')?.innerText", bool)
        driver.switch_to.default_content()
        told = [right, wrong, offer]
        if told != ['["swift", "swiftly"]', '["sway", "swing", "swift"]', "flatMap → switchToLatest"]:
            problems.append(f"{device}: the stage tells {told}")
    return problems


def results(browser, question, seconds=3):
    """The pages that a question finds, in their order."""
    driver = browser.driver
    # The list is emptied first, so the last question's answers can't be taken for this one's.
    driver.execute_script(
        "const input = document.querySelector('[data-md-component=search-query]');"
        "const ask = (text) => { input.value = text; input.dispatchEvent(new Event('keyup')); };"
        "input.focus(); ask(''); setTimeout(() => ask(arguments[0]), 60)", question)
    time.sleep(0.1)
    return wait_for(
        browser, "return [...document.querySelectorAll('.md-search-result__item')]"
        ".map((item) => new URL(item.querySelector('a').href).pathname)", bool, seconds=seconds)


def search(browser, origin):
    """Asks what learners ask. The page that answers is among the first three."""
    driver, problems = browser.driver, []
    browser.open(f"{origin}docs/index.html", "light")
    browser.resize(WINDOWS["desktop"][0])
    time.sleep(0.5)
    is_loaded = (
        "return performance.getEntriesByType('resource').filter(({name}) => /search.?index/.test(name))"
        ".reduce((sum, {decodedBodySize}) => sum + decodedBodySize, 0) > 20000"
        " || document.querySelector('script[src*=search-index]') !== null")
    if driver.execute_script(is_loaded):
        problems.append("the index is loaded before the search gets the focus")
    driver.find_element("css selector", "[data-md-component=search-query]").click()
    if not wait_for(browser, is_loaded, bool, seconds=3):
        problems.append("the index isn't loaded when the search gets the focus")
    first = 0
    for question, page in QUESTIONS.items():
        found = results(browser, question)
        first += bool(found) and found[0].endswith("/" + page)
        if not any(path.endswith("/" + page) for path in found[:3]):
            place = [i for i, path in enumerate(found) if path.endswith("/" + page)]
            problems.append(
                f"{question!r} finds {[Path(path).stem for path in found[:3]]} before {page}"
                + (f", which is at {place[0] + 1} of {len(found)}" if place else ""))
    if first < FIRST:
        problems.append(f"{first} of {len(QUESTIONS)} questions have their page first, and not {FIRST}")
    # Pages for contributors come after those for users.
    for question in ("scheduler", "snapshot"):
        problems += [
            f"{question!r} finds {path}, a page for contributors, among the first three"
            for path in results(browser, question)[:3] if any(x in path for x in FOR_CONTRIBUTORS)]
    # A letter that's wrong, words of which the last one isn't complete, and what nothing has.
    for question, page in (("debuonce", "debounce"), ("combinel", "combine-latest")):
        if not any(page in path for path in results(browser, question)[:3]):
            problems.append(f"{question!r} doesn't find {page}")
    for question in ("xyzzyplugh", "((", "<>&", "   ", "\\"):
        if found := results(browser, question, seconds=0.3):
            problems.append(f"{question!r} finds {found}")
    problems += search_help(browser)
    # The page that a result leads to marks the words of the question, and not their stems.
    results(browser, "what does debouncing do")
    links = driver.execute_script(
        "return [...document.querySelectorAll('.md-search-result__item a')].map(({href}) => href)")
    if not links or "h=debouncing" not in links[0]:
        problems.append(f"a result's link doesn't hold the words of the question: {links[:1]}")
    # The enter key leads to the best answer, here to an entry of the glossary.
    results(browser, "what is a publisher")
    webdriver.ActionChains(driver).send_keys(Keys.ENTER).perform()
    address = wait_for(browser, "return location.href", lambda found: "#publisher" in found, seconds=3)
    if "docs/glossary.html" not in address or not address.endswith("#publisher"):
        problems.append(f"the enter key leads to {address}")
    # An address can hold a question.
    browser.open(f"{origin}docs/index.html?q={urllib.parse.quote('wait for a pause')}", "light")
    found = wait_for(
        browser, "return [...document.querySelectorAll('.md-search-result__item a')]"
        ".map(({href}) => href)", bool)
    if not any("debounce" in address for address in found[:3]):
        problems.append(f"a question in the address finds {found[:3]}")
    return problems


def search_help(browser):
    """A question without an answer leads to the nearest words of names, and to overviews."""
    problems = []
    offered = (
        "const texts = (name) => [...document.querySelectorAll(`.search-help ${name}`)].filter((one) =>"
        "one.checkVisibility() && one.innerText).map((one) => one.href ?? one.innerText);"
        "return [texts('button'), texts('a')]")
    for question, words in (("cmbinelatset", ["combineLatest"]), ("xyzzyplugh", []), ("((", [])):
        results(browser, question, seconds=0.3)
        found = wait_for(browser, offered, lambda found: len(found[1]) == 3, seconds=3)
        if found[0] != words or [
                address.endswith(page) for address, page in zip(found[1], OVERVIEWS)] != [True] * 3:
            problems.append(f"{question!r} offers {found}")
    results(browser, "cmbinelatset", seconds=0.3)
    wait_for(browser, offered, lambda found: found[0], seconds=3)
    browser.driver.execute_script("document.querySelector('.search-help button')?.click()")
    found = wait_for(
        browser, "return [...document.querySelectorAll('.md-search-result__item a')]"
        ".map(({href}) => href)", bool, seconds=3)
    if not found or "combine-latest" not in found[0]:
        problems.append(f"the word that's offered finds {found[:1]}")
    for question in ("debounce", "   "):
        results(browser, question, seconds=0.3)
        if (found := wait_for(browser, offered, lambda found: not found[1], seconds=3))[1]:
            problems.append(f"{question!r} offers {found}")
    return problems


def cards(browser, origin):
    """Filters the operators by what a reader wants to do."""
    driver, problems = browser.driver, []
    browser.open(f"{origin}docs/operators/index.html", "light")
    names = (
        "return [...document.querySelectorAll('.card')].filter((card) => card.checkVisibility())"
        ".map((card) => card.querySelector('a').pathname.split('/').at(-1).slice(0, -5))")
    every = driver.execute_script(names)
    anchors = driver.execute_script(
        "return [...new Set([...document.querySelectorAll('.card a')].map((link) => link.hash))]")
    if anchors != ["#example"]:
        problems.append(f"the cards lead to {anchors}")
    headings = driver.execute_script(
        "return [...document.querySelectorAll('article h3')].map((h) => h.firstChild.textContent)")
    first = driver.execute_script("return document.querySelectorAll('h3 + .cards')[0].children.length")
    if headings[0] != "Every day" or first != 12 or len(headings) < 10:
        problems.append(f"{first} operators stand below {headings[0]!r} first, of {len(headings)} groups")
    box = driver.find_element("css selector", ".filter input")
    placeholder = box.get_attribute("placeholder").split(", ")
    for words, found in (
            ("pauses typing", "debounce"), ("distinctUntilChanged", "remove-duplicates"),
            ("main thread", "receive-on"), ("cancel old request", "switch-to-latest"),
            ("wait", "delay"), ("wait", "debounce"), ("BehaviorSubject", "current-value-subject"),
            ("running total", "scan"), ("combine two publishers", "combine-latest"),
            *((word, None) for word in placeholder)):
        box.clear()
        box.send_keys(words)
        shown = driver.execute_script(names)
        if not 0 < len(shown) < len(every) / 3:
            problems.append(f"{words!r} shows {len(shown)} of {len(every)} operators")
        elif found and found not in shown[:5]:
            problems.append(f"{words!r} shows {shown[:5]}, and not {found}")
    for words in ("xyzzyplugh", "((", ""):
        driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", box, words)
        if driver.execute_script(names) != every:
            problems.append(f"{words!r} doesn't leave all operators")
    box.send_keys("retry")
    driver.execute_script("location.hash = 'work-with-time'")
    if len(wait_for(browser, names, lambda shown: shown == every, seconds=2)) != len(every):
        problems.append("a link to a section doesn't show the index again")
    return problems


def recipes(browser, origin):
    """The first screen of each recipe leads to its code and to its run."""
    driver, problems = browser.driver, []
    for device, (_, height) in WINDOWS.items():
        for page in sorted(glob.glob("docs/recipes/*.md")):
            name = Path(page).stem
            if name == "README":
                continue
            show(browser, f"{origin}docs/recipes/{name}.html", "light", device)
            ways = driver.execute_script(
                "return [...document.querySelectorAll('article .md-button')].map((e) => [e.innerText,"
                "e.getBoundingClientRect().bottom, !!document.querySelector(e.hash)])")
            if [way[0] for way in ways] != ["The code", "See it run"] or not all(
                    bottom < height and leads for _, bottom, leads in ways):
                problems.append(f"{device}: {name} leads nowhere on its first screen: {ways}")
    return problems


def axe_source():
    [file] = glob.glob(f"{sys.prefix}/lib/python3*/site-packages/axe_playwright_python/axe.min.js")
    return Path(file).read_text(encoding="utf-8")


def accessibility(browser, origin):
    """What axe-core finds on a page of each kind, and texts and gaps that it doesn't look for."""
    driver, problems = browser.driver, []
    axe = axe_source()
    # Each browser takes one scheme on phones, and the other one on desktops.
    is_disk = origin.startswith("file:")
    for device in WINDOWS:
        scheme = "light" if is_disk == (device == "phone") else "dark"
        for page in KINDS:
            show(browser, f"{origin}{page}", scheme, device)
            # The theme numbers notes, and makes buttons to copy, when it has seen the code.
            driver.execute_script(
                "document.querySelectorAll('article details').forEach((e) => (e.open = true));"
                "document.querySelectorAll('.annotate, pre').forEach((e) => e.scrollIntoView());"
                "scrollTo(0, 0)")
            time.sleep(0.5)
            driver.execute_script(axe)
            found = driver.execute_async_script(AXE) + driver.execute_script(SIZES)
            problems += [f"{page} ({device}, {scheme}): {problem}" for problem in found]
    # The dialog of the search, with answers.
    for scheme in ("light", "dark"):
        show(browser, f"{origin}docs/index.html?q=debounce", scheme, "desktop")
        wait_for(browser, "return document.querySelectorAll('.md-search-result__item').length", bool)
        driver.execute_script(axe)
        problems += [
            f"the search ({scheme}): {problem}" for problem in driver.execute_async_script(AXE)]
    return problems


def problems(browser, origin):
    """How many checks there are, and what they find, each with the messages of the console."""
    found = []
    for title, check in CHECKS.items():
        browser.driver.get_log("browser")
        own = check(browser, origin)
        own += [f"console: {entry['message']}" for entry in browser.driver.get_log("browser")]
        found += [(title, problem) for problem in own]
    return len(CHECKS), found


CHECKS = {"home": home, "search": search, "cards": cards, "recipes": recipes, "axe": accessibility}
