"""Checks the marbles that readers move, on the pages of operators, and the links to them."""

import itertools
import json
import re
import time

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

import first_sight
from navigation import ROOT

PAGE = ROOT / "Sources/ScenarioKit/StagePage"
STAGES = ROOT / "docs/site/marbles.json"
TABLES = ROOT / ".build/site-players/marbles"
WIDTHS = 1280, 900, 390
# The outcomes of all arrangements of a table, as a stage tells them to the page around it.
OUTCOMES = """
const found = /id="runs"[^>]*>(.*?)<\\/script>/s.exec(arguments[0])[1];
const source = new TableSource({ textContent: found, dataset: {} }, { onHello() {} });
const table = JSON.parse(found);
source.table = table;
const [variant] = table.variants;
const [group] = variant.groups;
return source.arrangementsOf(group).map((times) => {
  const moves = group.addresses.flatMap((address, index) =>
    times[index] === source.usualTime(variant, address) ? []
      : `${address} to ${times[index] === null ? "never" : `${times[index] / 1e6}ms`}`);
  const kinds = ["value", "finished", "failure"];
  const outcome = source.find(variant, { moves, fault: null, schedule: null }).events
    .filter(({ lane, kind }) => lane === "output" && kinds.includes(kind))
    .map(({ kind, text, nanoseconds }) =>
      ({ kind, text: text.replace(/^value /, ""), time: nanoseconds / 1e6 }));
  return { height: 300, moves, outcome };
});
"""
# For each goal of a stage, an arrangement that reaches it: the start, or else the first one.
SEARCH = """
const [number, outcomes] = arguments;
const section = document.querySelectorAll(".marbles")[number];
const source = section.querySelector("iframe").contentWindow;
const goals = [...section.querySelectorAll("[data-goal]")];
const found = goals.map(() => null);
for (const data of outcomes) {
  goals.forEach((goal) => goal.classList.remove("is-reached"));
  dispatchEvent(new MessageEvent("message", { data, source }));
  goals.forEach((goal, index) => {
    if (!goal.classList.contains("is-reached")) return;
    found[index] = data.moves.length ? found[index] ?? data.moves : [];
  });
}
goals.forEach((goal) => goal.classList.remove("is-reached"));
return found;
"""
IS_REACHED = """
const [number, goal] = arguments;
return document.querySelectorAll(".marbles")[number].querySelectorAll("[data-goal]")[goal]
  .classList.contains("is-reached");
"""
# Moves something as a link does.
PUT = """
const [number, moves] = arguments;
const section = document.querySelectorAll(".marbles")[number];
const address = `#${new URLSearchParams(moves.map((move) => ["move", move]))}`;
section.querySelector("iframe").contentWindow.postMessage({ address }, "*");
"""
SAYS = "return document.querySelector('.marbles [role=status]').textContent.includes(arguments[0])"


def eventually(browser, expected, script, *arguments):
    """Waits until a script returns something, and returns a complaint if it doesn't."""
    end = time.monotonic() + 15
    while (found := browser.driver.execute_script(script, *arguments)) != expected:
        if time.monotonic() > end:
            return [f"expected {expected!r}, got {found!r}"]
        time.sleep(0.05)
    return []


def stages_of(page):
    stages = json.loads(STAGES.read_text(encoding="utf-8"))
    return [stage for stage in stages if stage["part"].split("--")[0] == page]


def open_page(browser, origin, page, width=1280, scheme="light"):
    """Opens a page anew, and waits for its stages."""
    browser.open(f"{origin}docs/operators/{page}.html", scheme, width)
    return eventually(
        browser, True, "return [...document.querySelectorAll('.marbles [role=status]')]"
        ".every((said) => said.textContent)")


def reaches_each_goal(browser, origin, pages):
    """Finds moves to each goal in the tables, and makes them on the stage."""
    driver, problems = browser.driver, []
    read_move = re.search(
        r"^function readMove.*?^}", (PAGE / "address.js").read_text(encoding="utf-8"), re.M | re.S)
    script = f"{(PAGE / 'source.js').read_text(encoding='utf-8')}\n{read_move[0]}\n{OUTCOMES}"
    for page in pages:
        problems += [f"{page}: {one}" for one in open_page(browser, origin, page)]
        for number, stage in enumerate(stages_of(page)):
            name = stage["part"]
            text = (TABLES / f"{name}.html").read_text(encoding="utf-8")
            outcomes = driver.execute_script(script, text)
            for goal, moves in enumerate(driver.execute_script(SEARCH, number, outcomes)):
                words = f"{name}, {stage['goals'][goal]['text']}"
                if not moves:
                    problems.append(
                        f"{words}: {'the start' if moves == [] else 'no arrangement'} reaches it")
                    continue
                driver.execute_script(PUT, number, moves)
                problems += [
                    f"{words}: {moves}: {one}"
                    for one in eventually(browser, True, IS_REACHED, number, goal)]
        problems += [f"{page}: {entry['message']}" for entry in driver.get_log("browser")]
    return problems


def moves_by_hand(browser, origin):
    """Loses fig to the end with keys, and then pushes both with fi, by a pointer."""
    driver, problems = browser.driver, []
    for width in WIDTHS:
        problems += open_page(browser, origin, "debounce", width)
        frame = driver.find_element("css selector", "iframe.brief")
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", frame)
        driver.switch_to.frame(frame)
        fi, fig, end = (
            driver.find_element("css selector", f"[aria-label^='{label}']")
            for label in ("typed value 2", "typed value 3", "the end of typed"))
        end.send_keys(*[Keys.ARROW_LEFT] * 4)
        driver.switch_to.default_content()
        problems += [
            f"{width} px, after keys: {one}" for text in ("Goal reached: Lose fig", "at 800 ms.")
            for one in eventually(browser, True, SAYS, text)]
        driver.switch_to.frame(frame)
        # A pointer that jumps isn't dragged.
        actions = webdriver.ActionChains(driver, duration=50).click_and_hold(fi)
        distance = end.rect["x"] - fi.rect["x"] + 20
        for _ in range(10):
            actions.move_by_offset(round(distance / 10), 0)
        actions.release().perform()
        times = [handle.get_attribute("aria-valuenow") for handle in (fi, fig, end)]
        if not int(times[0]) < int(times[1]) < int(times[2]):
            problems.append(f"{width} px: fi doesn't push the others: {times}")
        driver.switch_to.default_content()
        problems += [
            f"{width} px, after a drag: {one}"
            for one in eventually(browser, False, SAYS, "finishes at 800 ms.")]
    return problems


def suits_each_width(browser, origin, pages):
    """A frame is as high as its stage, and neither is too wide. Axe finds nothing on a stage."""
    driver, problems = browser.driver, []
    axe = first_sight.axe_source()
    schemes = itertools.cycle(("light", "dark"))
    for page, width, scheme in zip(pages, itertools.cycle(WIDTHS), schemes):
        open_page(browser, origin, page, width, scheme)
        frame = driver.find_element("css selector", "iframe.brief")
        driver.switch_to.frame(frame)
        driver.execute_script(axe)
        problems += [
            f"{page}, {width} px: {one}" for one in driver.execute_async_script(first_sight.AXE)
            # The page around it has the headings.
            if not one.startswith("page-has-heading-one ")]
        if driver.execute_script(
                "const { scrollWidth, scrollHeight } = document.documentElement;"
                "return scrollWidth > innerWidth || scrollHeight > innerHeight"):
            problems.append(f"{page}, {width} px: the stage scrolls")
        driver.switch_to.default_content()
    return problems


def promises_nothing_without_scripts(browser, origin):
    """A page without scripts doesn't ask its readers to drag what isn't there."""
    driver = browser.driver
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(f"{origin}docs/operators/debounce.html", "light", WIDTHS[0])
        text = driver.execute_cdp_cmd(
            "Runtime.evaluate", {"expression": "document.querySelector('article').innerText"})
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    text = text["result"].get("value", "")
    return [f"the page says {text!r}"] if "Drag" in text or "needs JavaScript" not in text else []


def lost_links(site, pages):
    """The pages that should lead to marbles, and don't."""
    targets = {f"{page}.html" for page in pages}
    problems = []
    for path in ("index.html", "docs/index.html", "docs/cheat-sheet.html",
                 "docs/scenarios/search-as-you-type.html"):
        text = (site / path).read_text(encoding="utf-8")
        found = re.findall(r'href="[^"]*operators/([^"/]+\.html)#example"', text)
        if not targets.intersection(found):
            problems.append(f"{path} leads to no marbles")
    index = (site / "docs/operators/index.html").read_text(encoding="utf-8")
    marked = re.findall(r'<li class="card"[^>]*><a href="([^"#]+)#example"(?:(?!</li>).)*<em>', index)
    if set(marked) != targets:
        problems.append(f"the cards of {sorted(targets.symmetric_difference(marked))} are wrong")
    return problems


def movable_marbles(browser, origin, site):
    """All of these checks. Of the pages, each browser takes its half."""
    pages = sorted(
        page.stem for page in (site / "docs" / "operators").glob("*.html")
        if 'class="marbles"' in page.read_text(encoding="utf-8"))
    if len(pages) < 17:
        return [f"only {len(pages)} pages have marbles to move"]
    own = pages[origin.startswith("file:")::2]
    return [
        *reaches_each_goal(browser, origin, own), *moves_by_hand(browser, origin),
        *suits_each_width(browser, origin, own), *promises_nothing_without_scripts(browser, origin),
        *lost_links(site, pages)]
