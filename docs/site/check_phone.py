"""Checks the players on the pages of scenarios as a phone shows them: a still that opens one."""

import time

PHONE, TABLET, DESKTOP = (390, 844), (768, 1024), (1280, 900)


def resize(browser, size):
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})


def players_on_a_phone(browser, origin):
    """A still stands in the place of a player, and opens it on a whole window."""
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
    problems += opens(browser, f"{origin}docs/scenarios/search-as-you-type.html", "event 1 of ")
    problems += opens(
        browser, f"{origin}docs/scenarios/retry-then-fallback.html#part-3-event-15",
        "event 15 of ")
    return problems + finger_scrolls(browser, f"{origin}docs/scenarios/search-as-you-type.html")


def finger_scrolls(browser, address):
    """A finger on a player's sentence or its buttons scrolls the page around the frame."""
    driver, problems = browser.driver, []

    def touch(kind, *points):
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    for part in ("#current", "#next"):
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
                "const box = document.querySelector(arguments[0])?.getBoundingClientRect();"
                "return box && box.height ? [box.x + box.width / 2, box.y + box.height / 2] : null",
                part)
            time.sleep(0.05)
        driver.switch_to.default_content()
        if not middle:
            problems.append(f"a tablet's player has no {part}")
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


def opens(browser, address, says):
    """Touches the still of a page, and looks at the player that opens."""
    driver = browser.driver
    driver.get("about:blank")
    browser.open(address, "dark", PHONE[0])
    resize(browser, PHONE)
    still = driver.find_elements("css selector", ".player-still")
    if not still:
        return [f"{address} has no still"]
    if "#" not in address:
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", still[0])
    box = driver.execute_script(
        "const box = arguments[0].getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]", still[0])
    for kind, points in (("touchStart", [{"x": box[0], "y": box[1]}]), ("touchEnd", [])):
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    state = """
      const play = document.querySelector("#play")?.getBoundingClientRect();
      return [document.querySelector("#say")?.innerText ?? "",
        Boolean(play) && play.top >= 0 && play.bottom <= innerHeight,
        document.documentElement.scrollHeight <= innerHeight,
        document.documentElement.dataset.theme];"""
    end = time.monotonic() + 15
    while True:
        text, has_buttons, fits, theme = driver.execute_script(state)
        if says in text and has_buttons and fits and theme == "dark":
            return []
        if time.monotonic() > end:
            return [f"{address} opens {driver.current_url} in {theme}, which says {text!r}, with"
                    f"{'' if has_buttons else 'out'} its buttons, and "
                    f"{'fits' if fits else 'has to be scrolled'}"]
        time.sleep(0.1)
