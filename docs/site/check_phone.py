"""Checks the stages of the lessons as a phone shows them: links that open one."""

import re
import time

PHONE, TABLET, DESKTOP = (390, 844), (768, 1024), (1280, 900)


def resize(browser, size):
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})


def players_on_a_phone(browser, origin):
    """A still stands in the place of a stage, and opens it on a whole window."""
    driver, problems = browser.driver, []
    shown = """
      const seen = (selector) => document.querySelector(selector)?.checkVisibility() ?? false;
      const image = document.querySelector(".player-still img");
      return [seen("iframe.player"), seen(".player-still"),
        !image || image.complete && image.naturalWidth > 0];"""
    for scenario, size, expected in (
            ("search-as-you-type", PHONE, [False, True]), ("first-stream", PHONE, [False, True]),
            ("tiny-streams", PHONE, [False, True]),
            # A phone on its side.
            ("search-as-you-type", PHONE[::-1], [False, True]),
            ("search-as-you-type", DESKTOP, [True, False])):
        browser.open(f"{origin}docs/scenarios/{scenario}.html", "light", size[0])
        resize(browser, size)
        driver.execute_script(
            "document.querySelector('.player-still')?.scrollIntoView({block: 'center'})")
        end = time.monotonic() + 15
        while (found := driver.execute_script(shown))[:2] != expected or (
                expected[1] and not found[2]):
            if time.monotonic() > end:
                problems.append(
                    f"{scenario} at {size}: frame, still and its picture: {found},"
                    f" expected {[*expected, True]}")
                break
            time.sleep(0.05)
    lesson = f"{origin}docs/scenarios/search-as-you-type.html"
    for selector in (".player-still", "article .play"):
        problems += opens(browser, lesson, r"event (\d+) of \1", selector)
        # Nothing can be dragged there.
        problems += opens(
            browser, f"{origin}docs/scenarios/first-stream.html", r"event [1-9]", selector, plays=True)
    # A link to an event shows that event.
    problems += opens(
        browser, f"{origin}docs/scenarios/retry-then-fallback.html#part=3&event=15",
        "event 15 of ", ".player-still")
    problems += starts_on_the_first_screen(browser, origin)
    problems += leads_back(browser, origin)
    return problems + finger_scrolls(browser, lesson)


def starts_on_the_first_screen(browser, origin):
    """A lesson's button is in view when it opens, and on a desktop, it leads to the stage on the page.

    It plays a run in which nothing can be dragged.
    """
    driver, problems = browser.driver, []
    for scenario in ("search-as-you-type", "first-stream", "from-handler-to-publisher"):
        for size in (PHONE, DESKTOP):
            browser.open(f"{origin}docs/scenarios/{scenario}.html", "light", size[0])
            resize(browser, size)
            bottom = driver.execute_script(
                "const box = document.querySelector('article .play')?.getBoundingClientRect();"
                "return box && box.height ? box.bottom + scrollY : null")
            if bottom is None or bottom > size[1]:
                problems.append(f"{scenario} at {size} has its button at {bottom}")
                continue
            if size == PHONE:
                continue
            driver.find_element("css selector", "article .play").click()
            player = driver.find_element("css selector", "article iframe.player")
            end, expected = time.monotonic() + 15, [scenario == "first-stream", True, True]
            while True:
                top, has_focus = driver.execute_script(
                    "return [arguments[0].getBoundingClientRect().top,"
                    "document.activeElement === arguments[0]]", player)
                driver.switch_to.frame(player)
                is_playing = driver.execute_script(
                    "return document.body.classList.contains('playing')")
                driver.switch_to.default_content()
                found = [is_playing, has_focus, 0 <= top < size[1] / 2]
                if found == expected:
                    break
                if time.monotonic() > end:
                    problems.append(
                        f"{scenario}: the button's stage plays, has the focus, and is in view: {found},"
                        f" expected {expected}")
                    break
                time.sleep(0.05)
    return problems


def leads_back(browser, origin):
    """A stage on a page of its own has a link to its lesson or operator, and in a frame it has none."""
    driver, problems = browser.driver, []
    box = ("const box = document.querySelector('#page')?.getBoundingClientRect();"
           "return box ? [box.width, box.height, box.top] : null")
    for player, page in (("search-as-you-type", "scenarios/search-as-you-type"),
                         ("operators/scan/a-payment-without-cover-ends-the-stream", "operators/scan")):
        for size in (PHONE, PHONE[::-1], DESKTOP):
            browser.open(f"{origin}players/{player}.html", "light", size[0])
            resize(browser, size)
            found = driver.execute_script(box)
            if not found or found[0] < 44 or found[1] < 24 or not 0 <= found[2] < 100:
                problems.append(f"{player} at {size} has its link back at {found}")
                continue
            driver.find_element("css selector", "#page").click()
            if not driver.current_url.endswith(f"docs/{page}.html"):
                problems.append(f"{player} leads back to {driver.current_url}")
    browser.open(f"{origin}docs/scenarios/search-as-you-type.html", "light", DESKTOP[0])
    resize(browser, DESKTOP)
    driver.switch_to.frame(driver.find_element("css selector", "iframe.player"))
    end = time.monotonic() + 15
    while (found := driver.execute_script(box)) != [0, 0, 0]:
        if time.monotonic() > end:
            problems.append(f"a stage in a frame shows a link back: {found}")
            break
        time.sleep(0.05)
    driver.switch_to.default_content()
    return problems


def finger_scrolls(browser, address):
    """A finger on a stage's sentence or its buttons scrolls the page around a stage that's at its end."""
    driver, problems = browser.driver, []

    def touch(kind, *points):
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    for part in (".current", "#back"):
        browser.open(address, "light", TABLET[0])
        resize(browser, TABLET)
        frame = driver.find_element("css selector", "iframe.player")
        driver.execute_script("arguments[0].scrollIntoView({block: 'end'})", frame)
        corner = driver.execute_script(
            "const box = arguments[0].getBoundingClientRect(); return [box.x, box.y]", frame)
        driver.switch_to.frame(frame)
        middle, end = None, time.monotonic() + 15
        while not middle and time.monotonic() < end:
            middle = driver.execute_script(
                "if (!document.querySelector('#where')?.innerText) return null;"
                "scrollTo(0, document.documentElement.scrollHeight);"
                "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                "return box.height ? [box.x + box.width / 2, box.y + box.height / 2] : null",
                part)
            time.sleep(0.05)
        driver.switch_to.default_content()
        if not middle:
            problems.append(f"a tablet's stage has no {part}")
            continue
        x, y = corner[0] + middle[0], corner[1] + middle[1]
        start = driver.execute_script("return scrollY")
        touch("touchStart", (x, y))
        for step in range(1, 11):
            touch("touchMove", (x, y - 20 * step))
            time.sleep(0.02)
        touch("touchEnd")
        end = time.monotonic() + 15
        while (moved := driver.execute_script("return scrollY") - start) < 100:
            if time.monotonic() > end:
                problems.append(f"a finger on {part} scrolls the page by {moved} px")
                break
            time.sleep(0.05)
    return problems


def opens(browser, address, says, selector, plays=False):
    """Touches a link of a page to its stage, and looks at the stage that opens."""
    driver = browser.driver
    driver.get("about:blank")
    browser.open(address, "dark", PHONE[0])
    resize(browser, PHONE)
    link = driver.find_elements("css selector", selector)
    if not link:
        return [f"{address} has no {selector}"]
    if "#" not in address:
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", link[0])
    box = driver.execute_script(
        "const box = arguments[0].getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]", link[0])
    for kind, points in (("touchStart", [{"x": box[0], "y": box[1]}]), ("touchEnd", [])):
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    state = """
      const inView = (element) => {
        const box = element.getBoundingClientRect();
        return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
      };
      return [document.querySelector("#where")?.innerText ?? "",
        [...document.querySelectorAll("#play, #track, #screen")].filter(inView).length,
        document.body.classList.contains("playing"),
        document.documentElement.dataset.theme];"""
    end = time.monotonic() + 15
    while True:
        text, count, is_playing, theme = driver.execute_script(state)
        if re.match(says, text) and count == 3 and is_playing == plays and theme == "dark":
            return []
        if time.monotonic() > end:
            return [f"{address} opens {driver.current_url} in {theme}, which says {text!r}, plays:"
                    f" {is_playing}, and has {count} of the button, the track and the screen in view"]
        time.sleep(0.1)
