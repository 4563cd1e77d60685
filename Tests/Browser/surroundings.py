"""Tests of a page in its surroundings: themes, frames, screens, and readers with special needs."""

import time

from run import DESKTOP, PHONE, check, expect


def follows_the_theme(player, run):
    """The system's scheme counts, unless the address or the page around it says another."""
    def background():
        return player.run("return getComputedStyle(document.body).backgroundColor")

    player.open(run.address, scheme="light")
    light = background()
    player.open(run.address, scheme="dark")
    dark = background()
    check(light != dark, f"{light} in light and in dark")
    player.open(run.address, "?theme=light", scheme="dark")
    expect(background(), light, "?theme=light")
    player.open(run.address, "?theme=dark", scheme="light")
    expect(background(), dark, "?theme=dark")
    fill = "return getComputedStyle(document.querySelector('.picture .p-t')).fill"
    dark_text = player.run(fill)
    player.open(run.address, scheme="light")
    check(player.run(fill) != dark_text, "the picture doesn't follow the theme")
    player.driver.get(f"{run.address.rsplit('/', 1)[0]}/frame.html#{run.scenario}")
    player.run("frames[0].postMessage({ theme: 'dark' }, '*')")
    player.driver.switch_to.frame(0)
    player.wait_until(
        lambda: player.run("return document.documentElement.dataset.theme") == "dark",
        "a message doesn't change the theme")
    check(player.run("return document.documentElement.classList.contains('framed')"), "framed")
    player.driver.switch_to.default_content()


def has_colours_in_browsers_without_light_dark(player, run):
    """Browsers of 2023 don't know `light-dark()`, so the page chooses the colours itself."""
    colours = ("return ['body', '.picture .p-t'].map((name) => document.querySelector(name))"
               ".map((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).fill])")
    expected = {}
    for scheme in ("light", "dark"):
        player.open(run.address, scheme=scheme)
        expected[scheme] = player.run(colours)
    stub = player.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
        "source": "CSS.supports = () => false"})["identifier"]
    try:
        for scheme, anchor, shown in (
                ("light", "", "light"), ("dark", "", "dark"), ("light", "?theme=dark", "dark")):
            player.open(run.address, anchor, scheme=scheme)
            about = f"{anchor or 'no theme'} in a {scheme} system"
            text = player.run("return document.querySelector('style').textContent")
            check("light-dark(" not in text, f"{about}: light-dark() is still there")
            expect(player.run(colours), expected[shown], about)
        player.emulate(DESKTOP, "light")
        player.open(run.address, scheme="light")
        player.emulate(DESKTOP, "dark")
        player.wait_until(lambda: player.run(colours) == expected["dark"],
                          "the page doesn't follow the system while it's open")
    finally:
        player.driver.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": stub})


def takes_keys_from_the_page_around_it(player, run):
    """A page that shows a player in a frame can pass keys on."""
    player.emulate(DESKTOP)
    player.driver.get(f"{run.address.rsplit('/', 1)[0]}/frame.html#{run.scenario}")
    events = run.opened[1]["events"]
    lane = [event for event in events if event["lane"] == events[1]["lane"]]
    following = lane[lane.index(events[1]) + 1:] + [events[1]]
    for message, expected in (
            ({"key": "ArrowRight", "shiftKey": False}, events[1]),
            ({"key": "ArrowRight", "shiftKey": True}, following[0]),
            ({"key": "End"}, events[-1]), ({"key": "constructor"}, events[-1]),
            ({"key": "ArrowLeft"}, events[-2]), ({"key": "Home"}, events[0])):
        player.run("frames[0].postMessage(arguments[0], '*')", message)
        player.driver.switch_to.frame(0)
        player.wait_until(lambda: player.state["sentences"] == [expected["sentence"]],
                          f"{message} doesn't lead to event {expected['number']}")
        player.driver.switch_to.default_content()


def goes_where_the_page_around_it_leads(player, run):
    """A page that shows a player in a frame can lead to an event, at any moment."""
    player.emulate(DESKTOP)
    player.driver.get(f"{run.address.rsplit('/', 1)[0]}/frame.html#{run.scenario}")
    events = run.parts["part-1"]["events"]
    # At once after each other: the player writes its own address a moment after it has moved.
    for pause in (0, 0.02, 0.08, 0.1):
        for event in (events[-1], events[0], events[len(events) // 2]):
            player.run("frames[0].postMessage(arguments[0], '*')",
                       {"address": f"#part-1-event-{event['number']}"})
            time.sleep(pause)
        player.driver.switch_to.frame(0)
        player.wait_until(lambda: player.state["sentences"] == [event["sentence"]],
                          f"a message doesn't lead to event {event['number']}")
        player.driver.switch_to.default_content()


def states(run):
    """Addresses of the first, a middle and the last event, and of a comparison."""
    events = run.parts["part-1"]["events"]
    anchors = [f"#event-{events[index]['number']}" for index in (0, len(events) // 2, -1)]
    keys = list(run.parts)
    if len(keys) > 1:
        anchors.append(f"#part-1-event-{events[-1]['number']}-vs-{keys[-1]}")
    return anchors


def fits_a_phone(player, run):
    """Nothing has to be scrolled sideways at 390 pixels, and buttons are large enough."""
    for width in (PHONE, DESKTOP):
        for anchor in states(run):
            player.open(run.address, anchor, width=width)
            player.click("#because")
            about = f"{anchor} at {width} px"
            scroll, view = player.run("const root = document.documentElement;"
                                      "return [root.scrollWidth, root.clientWidth]")
            check(scroll <= view, f"{about}: {scroll} px wide")
            small = player.run("""
              return [...document.querySelectorAll("button, select, input")]
                .map((one) => [one.id || one.textContent, one.getBoundingClientRect()])
                .filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 44))
                .map(([name, box]) => `${name} ${box.width} × ${box.height}`)""")
            expect(small, [], f"{about}: small targets")


def code_stays_beside_the_picture(player, run):
    """Also in the frame on a page of the site, which is 746 pixels wide."""
    for width in (640, 746, DESKTOP):
        player.open(run.address, width=width)
        picture, code, scroll = player.run(
            "const box = (name) => document.querySelector(name).getBoundingClientRect();"
            "return [box('.picture').right, box('.code').left,"
            " document.documentElement.scrollWidth]")
        check(picture <= code, f"{width} px: the code isn't beside the picture")
        check(scroll <= width, f"{width} px: {scroll} px wide")


def compares_pictures_of_one_form(player, run):
    """Two runs next to each other are both wide or both narrow, also after the page's resized."""
    keys = list(run.parts)
    for other in keys[1:][-2:]:
        player.open(run.address, f"#{keys[0]}-vs-{other}", width=DESKTOP)
        for width in (DESKTOP, 1160, 1120, 1080, DESKTOP):
            player.emulate(width)
            # The page looks at its panes before it's painted again.
            player.driver.execute_async_script(
                "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            left, right = player.state["a"]["form"], player.state["b"]["form"]
            check(left in ("wide", "narrow"), f"form {left}")
            expect(right, left, f"the picture of {other} at {width} px")


def has_no_barriers(player, run):
    """axe-core finds nothing, in both schemes and widths, with causes told and without."""
    for index, anchor in enumerate(states(run)):
        width, scheme = ((DESKTOP, "light"), (PHONE, "dark"))[index % 2]
        player.open(run.address, anchor, width=width, scheme=scheme)
        if index // 2 == 1:
            player.click("#because")
        expect(player.violations(), [], f"{anchor}, {width} px, {scheme}")


def moves_nothing_if_motion_is_reduced(player, run):
    moving = "return [...document.querySelectorAll('*')].filter((element) =>" \
        "parseFloat(getComputedStyle(element).transitionDuration) > 0).length"
    player.open(run.address, motion="no-preference")
    check(player.run(moving) > 0, "nothing moves at all, so this test can't fail")
    player.open(run.address, motion="reduce")
    expect(player.run(moving), 0, "moving elements")


TESTS_OF_RUNS = [
    fits_a_phone, code_stays_beside_the_picture, compares_pictures_of_one_form, has_no_barriers,
]
TESTS_OF_PAGE = [
    follows_the_theme, has_colours_in_browsers_without_light_dark,
    takes_keys_from_the_page_around_it, goes_where_the_page_around_it_leads,
    moves_nothing_if_motion_is_reduced,
]
