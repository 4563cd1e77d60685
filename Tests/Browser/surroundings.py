"""Tests of a page in its surroundings: themes, frames, and readers with special needs."""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from run import DESKTOP, PHONE, check, expect
from view import SIZES

COLOURS = """
return [["body", "backgroundColor"], [".lane", "fill"], ["#stage .life", "stroke"]]
  .map(([name, property]) => getComputedStyle(document.querySelector(name))[property]);
"""


def follows_the_theme(page, run):
    """The system's scheme counts, unless the address or the page around it says another."""
    page.open(run.address, scheme="light")
    light = page.run(COLOURS)
    page.open(run.address, scheme="dark")
    dark = page.run(COLOURS)
    check(all(one != other for one, other in zip(light, dark)), f"{light} in light and {dark}")
    page.open(run.address, "?theme=light", scheme="dark")
    expect(page.run(COLOURS), light, "?theme=light")
    page.open(run.address, "?theme=dark", scheme="light")
    expect(page.run(COLOURS), dark, "?theme=dark")


def has_colours_in_browsers_without_light_dark(page, run):
    """Browsers of 2023 don't know `light-dark()`, so the page chooses the colours itself."""
    expected = {}
    for scheme in ("light", "dark"):
        page.open(run.address, scheme=scheme)
        expected[scheme] = page.run(COLOURS)
    stub = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
        "source": "CSS.supports = () => false"})["identifier"]
    try:
        for scheme, anchor, shown in (
                ("light", "", "light"), ("dark", "", "dark"), ("light", "?theme=dark", "dark")):
            page.open(run.address, anchor, scheme=scheme)
            about = f"{anchor or 'no theme'} in a {scheme} system"
            text = page.run("return document.querySelector('style').textContent")
            check("light-dark(" not in text, f"{about}: light-dark() is still there")
            expect(page.run(COLOURS), expected[shown], about)
        page.open(run.address, scheme="light")
        page.emulate(DESKTOP, scheme="dark")
        page.wait_until(lambda: page.run(COLOURS) == expected["dark"],
                        "the page doesn't follow the system while it's open")
    finally:
        page.driver.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": stub})


def belongs_to_the_page_around_it(page, run):
    """A page that shows this one in a frame sets its theme, passes keys on, and leads to events."""
    events = run.parts[1]["events"]
    lane = [event for event in events if event["lane"] == events[1]["lane"]]
    following = (lane[lane.index(events[1]) + 1:] + [events[1]])[0]
    before = events[events.index(following) - 1]

    def says(message, sentence):
        page.run("frames[0].postMessage(arguments[0], '*')", message)
        page.in_frame(lambda: page.wait_until(
            lambda: page.state["sentence"] == sentence, f"{message} doesn't lead to “{sentence}”"))

    with TemporaryDirectory() as folder:
        page.open_in_frame(Path(folder), run.address)
        page.run("frames[0].postMessage({ theme: 'dark' }, '*')")
        page.in_frame(lambda: page.wait_until(
            lambda: page.run("return document.documentElement.dataset.theme") == "dark",
            "a message doesn't change the theme"))
        headings = page.in_frame(lambda: page.run(
            "return document.querySelector('h1').getBoundingClientRect().width"))
        check(headings <= 1, "the headings are there twice")
        for message, sentence in (
                ({"key": "Home"}, "Nothing has happened yet."),
                ({"key": "ArrowRight"}, events[0]["sentence"]),
                ({"key": "ArrowRight", "shiftKey": False}, events[1]["sentence"]),
                ({"key": "ArrowRight", "shiftKey": True}, following["sentence"]),
                ({"key": "constructor"}, following["sentence"]),
                ({"key": "ArrowLeft"}, before["sentence"]),
                ({"key": "End"}, events[-1]["sentence"])):
            says(message, sentence)
        # At once after each other: the page writes its own address a moment after it has moved.
        for pause in (0, 0.02, 0.08, 0.1):
            for event in (events[-1], events[0], events[len(events) // 2]):
                message = {"address": f"#part=1&event={event['number']}"}
                page.run("frames[0].postMessage(arguments[0], '*')", message)
                time.sleep(pause)
            says(message, event["sentence"])


def has_no_barriers(page, run):
    """axe-core finds nothing: in both schemes and all sizes, with all open, and predicting."""
    number, events = run.longest
    for index, (width, height) in enumerate(SIZES):
        for scheme in ("light", "dark"):
            page.open(run.address, f"#part={number}", width=width, height=height, scheme=scheme)
            about = f"{width} px, {scheme}"
            expect(page.violations(), [], about)
            page.click("#because")
            page.choose_tab(("Now", "Transcript")[index % 2])
            page.run("document.querySelector('#keys').open = true")
            expect(page.violations(), [], f"{about}, with causes")
    page.open(run.address, f"?predict#part={number}", width=PHONE, height=844)
    # A short run may have too little to ask about.
    if page.step_to_question():
        expect(page.violations(), [], "with a question")


def moves_nothing_if_motion_is_reduced(page, run):
    moving = "return [...document.querySelectorAll('*')].filter((element) =>" \
        "parseFloat(getComputedStyle(element).transitionDuration) > 0).length"
    page.open(run.address, motion="no-preference")
    check(page.run(moving) > 0, "nothing moves at all, so this test can't fail")
    page.open(run.address, motion="reduce")
    expect(page.run(moving), 0, "moving elements")


TESTS_OF_RUNS = [has_no_barriers]
TESTS_OF_PAGE = [
    follows_the_theme, has_colours_in_browsers_without_light_dark, belongs_to_the_page_around_it,
    moves_nothing_if_motion_is_reduced,
]
