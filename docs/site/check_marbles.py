"""Checks the marbles that readers move, on the pages of operators and wherever links lead to them."""

import itertools
import re
import time

from selenium import webdriver
from selenium.webdriver.common.keys import Keys

PHONE, DESKTOP = 390, 1280


def items_of(lane):
    """The number of things in a lane that move: its marbles, and maybe its end."""
    return len(lane["marbles"]) + ("end" in lane)


def outcome_of(data, slots):
    """The outcome of an arrangement. The table has all, in lexicographic order."""
    number, first = 0, 0
    for lane in data["inputs"]:
        count = items_of(lane)
        choices = list(itertools.combinations(range(data["slots"] + ("end" in lane)), count))
        number = number * len(choices) + choices.index(tuple(slots[first:first + count]))
        first += count
    return data["outcomes"][data["runs"][number]]


def expected_text(data, slots):
    """What a diagram says of an arrangement."""
    row = outcome_of(data, slots)
    values = ", ".join(f"{value[0]} at {value[1]}" for value in row["values"])
    end = "" if row["end"] == data["end"] else f" It finishes at {row['end']} ms."
    if row.get("fails"):
        end = f" It fails at {row['end']} ms."
    return (f"Out: {values} ms." if values else "Nothing comes out.") + end


def movable_marbles(browser, origin, site):
    """Moves marbles with keys, a pointer and a finger, and compares what comes out with the table."""
    driver, problems = browser.driver, []
    pages = sorted(
        page for page in (site / "docs" / "operators").glob("*.html")
        if 'class="movable"' in page.read_text(encoding="utf-8"))
    if len(pages) < 17:
        return [f"only {len(pages)} pages have marbles to move"]
    problems += [
        f"{check.__name__}: {problem}"
        for check in (follows_the_pointer, follows_one_finger, shares_a_link, keeps_goals, shows_inner_streams,
                      promises_nothing_without_scripts)
        for problem in check(browser, origin)]
    problems += [f"links: {problem}" for problem in lost_links(site, pages)]
    text_of = "return document.querySelector('.movable .stage + p').innerText"
    # Each browser takes its half.
    for page in pages[origin.startswith("file:")::2]:
        address = f"{origin}docs/operators/{page.name}"

        def says(what, expected, script=text_of, *arguments):
            end = time.monotonic() + 15
            while (found := driver.execute_script(script, *arguments)) != expected:
                if time.monotonic() > end:
                    problems.append(f"{page.stem}: {what}: expected {expected!r}, got {found!r}")
                    return
                time.sleep(0.05)

        browser.open(address, "light")
        browser.resize(DESKTOP)
        data = driver.execute_script(
            "return JSON.parse(document.querySelector('.movable script').textContent)")
        slots = list(data["start"])
        says("at the start", expected_text(data, slots))
        # The last marble of the first input, one slot to the left if there's room, else to the right.
        marble = len(data["inputs"][0]["marbles"]) - 1
        low = slots[marble - 1] + 1 if marble else 0
        step = -1 if slots[marble] > low else 1
        grips = driver.find_elements("css selector", ".movable [role=slider]")
        grips[marble].send_keys(Keys.ARROW_LEFT if step < 0 else Keys.ARROW_RIGHT)
        slots[marble] += step
        says("after a key", expected_text(data, slots))
        says("the slider's value", f"{(slots[marble] + 1) * data['slot']} milliseconds",
             "return arguments[0].getAttribute('aria-valuetext')", grips[marble])
        same = expected_text(data, slots) == expected_text(data, data["start"])
        spoken = "The output is the same." if same else expected_text(data, slots)
        hears = "return document.querySelector('.movable [role=status]').textContent.includes(arguments[0])"
        says("what is spoken", True, hears, spoken)
        says("the group's name", True,
             "return document.querySelector('.movable [role=group]').ariaLabel"
             ".startsWith('Marbles of ' + arguments[0])", data["inputs"][0]["name"])
        says("the marble's name",
             f"Marble {data['inputs'][0]['marbles'][0]}, 1 of {marble + 1} in"
             f" {data['inputs'][0]['name']}", "return arguments[0].ariaLabel", grips[0])
        says("help, once", 1, "return document.querySelectorAll('.movable:first-of-type"
             " [aria-describedby]').length")
        says("the address", "#marbles=" + ",".join(map(str, slots)), "return location.hash")
        # To the last slot, with a mouse and then back with a finger.
        stage = driver.find_element("css selector", ".movable .stage")
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", stage)
        box = driver.execute_script(
            "const a = arguments[0].getBoundingClientRect(), b = arguments[1].getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2, a.right - 4, a.x + 4]",
            stage, grips[marble])
        webdriver.ActionChains(driver, duration=20).move_to_element(grips[marble]).click_and_hold() \
            .move_by_offset(int(box[2] - box[0]), 0).release().perform()
        slots[marble] = data["slots"] - 1
        if "end" in data["inputs"][0]:
            slots[marble + 1] = data["slots"]
        says("after a drag", expected_text(data, slots))
        position = driver.execute_script(
            "const b = arguments[0].getBoundingClientRect(); return [b.x + b.width / 2, b.y + 20]",
            grips[marble])
        for kind, points in (
                ("touchStart", [position]), ("touchMove", [[box[3], position[1]]]), ("touchEnd", [])):
            driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
        # It pushes the others to the first slots.
        slots[:marble + 1] = range(marble + 1)
        says("after a touch", expected_text(data, slots))
        # A link to any arrangement, and the way back.
        last = [slot for lane in data["inputs"]
                for slot in range(data["slots"] - len(lane["marbles"]),
                                  data["slots"] + ("end" in lane))]
        driver.execute_script("location.hash = 'marbles=' + arguments[0]", ",".join(map(str, last)))
        says("after a link", expected_text(data, last))
        driver.find_element("css selector", ".movable button").click()
        says("after Start again", expected_text(data, data["start"]))
        # An end moves with keys too, and takes the marbles along.
        if "end" in data["inputs"][0]:
            slots = list(data["start"])
            grips[marble + 1].send_keys(Keys.HOME)
            slots[:marble + 2] = range(marble + 2)
            says("after Home at the end", expected_text(data, slots))
            if slots[:marble + 1] != data["start"][:marble + 1]:
                says("what was pushed", True, hears, "Pushed: ")
        if page.stem == "debounce":
            # Goals that are reached on the way are spoken too.
            driver.execute_script("localStorage.clear()")
            browser.open(f"{address}#", "light")
            driver.refresh()
            says("after loading again", expected_text(data, data["start"]))
            grip = driver.find_elements("css selector", ".movable [role=slider]")[3]
            grip.send_keys(*[Keys.ARROW_LEFT] * 4)
            says("a goal on the way", True, hears, "Goal reached: Lose fig")
        problems += [f"{page.stem}: {entry['message']}" for entry in driver.get_log("browser")]
    return problems


def open_diagram(browser, origin, page, slots=None, width=DESKTOP):
    """Opens a page with marbles anew, and returns the table of its first diagram."""
    anchor = "#marbles=" + ",".join(map(str, slots)) if slots else ""
    # A change of the anchor alone wouldn't load the page again.
    browser.driver.get("about:blank")
    browser.open(f"{origin}docs/operators/{page}.html{anchor}", "light", width)
    return browser.driver.execute_script(
        "return JSON.parse(document.querySelector('.movable script').textContent)")


def eventually(browser, expected, script, *arguments):
    """Waits until a script returns something, and returns a complaint if it doesn't."""
    end = time.monotonic() + 15
    while (found := browser.driver.execute_script(script, *arguments)) != expected:
        if time.monotonic() > end:
            return [f"expected {expected!r}, got {found!r}"]
        time.sleep(0.05)
    return []


def mouse(browser, kind, x, y):
    browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
        "type": kind, "x": x, "y": y, "button": "left", "buttons": int(kind != "mouseReleased"),
        "clickCount": 1})


def follows_the_pointer(browser, origin):
    """A marble is where the pointer is, and in a slot once it's let go."""
    problems = []
    for page, grip in (("debounce", 1), ("debounce", 3), ("zip", 2)):
        data = open_diagram(browser, origin, page)
        place = (
            "const box = document.querySelectorAll('.movable [role=slider]')[arguments[0]]"
            ".getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]")
        drawn = (
            "const x = arguments[0], y = arguments[1];"
            "return document.elementsFromPoint(x, y).some((one) => {"
            "  const box = one.closest('.marble rect, .hold')?.getBoundingClientRect();"
            "  return box && Math.abs(box.x + box.width / 2 - x) <= 1; })")
        browser.driver.execute_script(
            "document.querySelector('.movable .stage').scrollIntoView({block: 'center'})")
        x, y = browser.driver.execute_script(place, grip)
        mouse(browser, "mousePressed", x, y)
        # Less than half a slot, so the output stays as it was.
        mouse(browser, "mouseMoved", x + 9, y)
        problems += [f"{page}: {one}" for one in eventually(
            browser, True, drawn, x + 9, y)]
        problems += [f"{page}, what it says: {one}" for one in eventually(
            browser, expected_text(data, data["start"]),
            "return document.querySelector('.movable .stage + p').innerText")]
        mouse(browser, "mouseReleased", x + 9, y)
        problems += [f"{page}, let go: {one}" for one in eventually(
            browser, [x, y], place, grip)]
    return problems


def follows_one_finger(browser, origin):
    """A second finger moves nothing while the first one holds a marble."""
    data = open_diagram(browser, origin, "zip")
    browser.driver.execute_script(
        "document.querySelector('.movable .stage').scrollIntoView({block: 'center'})")
    first, second = browser.driver.execute_script(
        "return [...document.querySelectorAll('.movable [role=slider]')].slice(2, 4).map((grip) => {"
        "  const box = grip.getBoundingClientRect();"
        "  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })")
    first, second = dict(first, id=1), dict(second, id=2)
    for kind, points in (
            ("touchStart", [first]), ("touchStart", [first, second]),
            ("touchMove", [first, dict(second, x=second["x"] + 200)]), ("touchEnd", [])):
        browser.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    return eventually(browser, [str((slot + 1) * data["slot"]) for slot in data["start"]], """
      return [...document.querySelectorAll(".movable")[0].querySelectorAll("[role=slider]")]
        .map((grip) => grip.getAttribute("aria-valuenow"))""")


def shares_a_link(browser, origin):
    """A link scrolls to its diagram, and a button copies one, with the clipboard and without."""
    problems = []
    in_view = ("const box = document.querySelector('.movable[data-key=' + arguments[0] + '] .stage')"
               ".getBoundingClientRect(); return box.top >= 0 && box.top < innerHeight / 2")
    for width in (PHONE, DESKTOP):
        data = open_diagram(browser, origin, "throttle")
        last = range(data["slots"] - len(data["start"]) + 1, data["slots"] + 1)
        open_diagram(browser, origin, "throttle", last, width)
        problems += [f"{width} px: {one}" for one in eventually(browser, True, in_view, "marbles")]
        # The page's second diagram, from the same page.
        browser.driver.execute_script(
            "scrollTo(0, 0); location.hash = 'marbles-first=' + arguments[0]",
            ",".join(map(str, last)))
        problems += [
            f"{width} px, the second diagram: {one}"
            for one in eventually(browser, True, in_view, "marbles-first")]
    data = open_diagram(browser, origin, "zip")
    grip = browser.driver.find_elements("css selector", ".movable [role=slider]")[-1]
    grip.send_keys(Keys.ARROW_RIGHT)
    slots = [*data["start"][:-1], data["start"][-1] + 1]
    expected = f"{origin}docs/operators/zip.html#marbles={','.join(map(str, slots))}"
    for kind, script in (
            ("with the clipboard", "navigator.clipboard.writeText = async (text) => {"
             " window.copied = text; }"),
            ("without it", "navigator.clipboard.writeText = async () => { throw new Error(); };"
             "document.addEventListener('copy', () => (window.copied = getSelection().toString()))")):
        browser.driver.execute_script("window.copied = null;" + script)
        button = browser.driver.find_elements("css selector", ".movable button")[1]
        browser.driver.execute_script("arguments[0].click()", button)
        problems += [
            f"{kind}: {one}"
            for one in eventually(browser, expected, "return window.copied")
            + eventually(browser, True, "return document.querySelector('.movable [role=status]')"
                         ".textContent.includes('clipboard')")]
    return problems


def keeps_goals(browser, origin):
    """A goal that a reader has reached stays so, and one that a link shows doesn't."""
    reached = "return document.querySelectorAll('.movable .is-reached').length"
    open_diagram(browser, origin, "debounce")
    browser.driver.execute_script("localStorage.clear()")
    # Fig is typed just before the end, so it's lost to it.
    open_diagram(browser, origin, "debounce", [1, 2, 10, 11])
    problems = [f"with the link: {one}" for one in eventually(browser, 1, reached)]
    open_diagram(browser, origin, "debounce")
    problems += [f"after a link: {one}" for one in eventually(browser, 0, reached)]
    grip = browser.driver.find_elements("css selector", ".movable [role=slider]")[3]
    grip.send_keys(*[Keys.ARROW_LEFT] * 4)
    problems += [f"after the move: {one}" for one in eventually(browser, 1, reached)]
    open_diagram(browser, origin, "debounce")
    problems += [f"on the next visit: {one}" for one in eventually(browser, 1, reached)]
    browser.driver.execute_script("localStorage.setItem('marbles debounce marbles', '{')")
    open_diagram(browser, origin, "debounce")
    problems += [f"with broken storage: {one}" for one in eventually(browser, 0, reached)]
    browser.driver.execute_script("localStorage.clear()")
    return problems


def shows_inner_streams(browser, origin):
    """Each stream inside of an operator is drawn as the table has it, and so is its cancellation."""
    problems = []
    for page, arrangements in (
            ("flat-map", ([0, 5], [0, 1])), ("switch-to-latest", ([0, 5], [0, 1], [0, 2])),
            ("buffer", ([0, 1, 2, 8],))):
        for slots in arrangements:
            data = open_diagram(browser, origin, page, slots)
            row = outcome_of(data, slots)
            inners = row.get("inners", [])
            expected = [
                [inner["name"] for inner in inners],
                sum(inner.get("ending") == "cancelled" for inner in inners),
                # Each value stands in its stream and in the output, and each marble in its input.
                sum(len(inner["values"]) for inner in inners) + len(row["values"])
                + len(data["start"])]
            problems += [f"{page} {slots}: {one}" for one in eventually(browser, expected, """
              const all = (selector) => [...document.querySelectorAll(".movable " + selector)];
              const names = all("text.name").map((one) => one.textContent)
                .filter((name) => !arguments[0].includes(name));
              return [names, all("rect.cancel").length, all(".marble:not(.ghost)").length]""",
                [*(lane["name"] for lane in data["inputs"]), "output"])]
            if page == "switch-to-latest" and slots == [0, 1]:
                problems += eventually(
                    browser, True, "return document.querySelector('.movable p.dropped').innerText"
                    ".includes('Cancelled: posts of A at 200 ms.')")
    return problems


def promises_nothing_without_scripts(browser, origin):
    """A page without scripts doesn't ask its readers to drag what isn't there."""
    driver = browser.driver
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(f"{origin}docs/operators/debounce.html", "light", DESKTOP)
        text = driver.execute_cdp_cmd(
            "Runtime.evaluate", {"expression": "document.querySelector('article').innerText"})
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    text = text["result"].get("value", "")
    return [f"the page says {text!r}"] if "Drag" in text or "needs JavaScript" not in text else []


def lost_links(site, pages):
    """The pages that should lead to marbles, and don't."""
    targets = {page.name for page in pages}
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
