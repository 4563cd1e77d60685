"""Tests the page of `--player` for each scenario in headless Chromium.

Usage: player_test.py PROGRAMS_FOLDER OUTPUT_FOLDER SCENARIO ...
"""

import glob
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from page import Failure, Player
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys

PHONE = 390
DESKTOP = 1200
BROWSERS = 2


def expect(actual, expected, about):
    if actual != expected:
        raise Failure(f"{about}: {actual!r}, expected {expected!r}")


def check(is_true, about):
    if not is_true:
        raise Failure(about)


class Run:
    """A player's file, and the data in it."""

    def __init__(self, scenario, file):
        self.scenario = scenario
        self.address = file.as_uri()
        page = file.read_text(encoding="utf-8")
        data = re.search(r'<script type="application/json" id="run">(.*?)</script>', page, re.S)
        self.data = json.loads(data.group(1))
        self.parts = {
            (f"{run['name']}-" if "name" in run else "") + f"part-{index + 1}": part
            for run in self.data["runs"] for index, part in enumerate(run["parts"])}

    def file_of(self, event):
        return self.data["files"][event["file"]]["name"]


def moment(event):
    return event["nanoseconds"], event["place"]


# Tests: each opens the page and raises a Failure.

def steps_through_all_events(player, run):
    """Each event has its sentence, its mark, its line of code and its line of the transcript."""
    player.open(run.address)
    for key, part in run.parts.items():
        player.select("#part", key)
        player.unfocus()
        player.press(Keys.HOME)
        lines = 0
        for index, event in enumerate(part["events"]):
            if index > 0:
                player.press(Keys.ARROW_RIGHT)
            state = player.state
            about = f"{key} event {event['number']}"
            expect(state["hash"], f"#{key}-event-{event['number']}", "address")
            expect(state["sentences"], [event["sentence"]], about)
            check(state["where"].startswith(f"event {index + 1} of {len(part['events'])}, "),
                  f"{about}: {state['where']}")
            check(event["sentence"] in state["slider"], f"{about}: slider says {state['slider']}")
            expect(len(state["a"]["marked"]), 1, f"{about}: marks")
            check(state["a"]["marked"][0].endswith(f"e{event['number']}"), f"{about}: mark")
            expect(state["a"]["faded"], len(part["events"]) - index - 1, f"{about}: faded marks")
            expect(state["a"]["marks"], len(part["events"]), f"{about}: all marks")
            expect(state["a"]["heads"], 1, f"{about}: playheads")
            expect(state["rows"], [event["line"]], f"{about}: lines of code")
            expect(state["file"], run.file_of(event), f"{about}: file")
            expect(state["lane"], event["lane"], f"{about}: lane")
            lines += event["role"] in ("console", "request")
            expect(len(state["a"]["log"]), lines, f"{about}: lines of the transcript")
            if event["role"] in ("console", "request"):
                check(event["text"] in state["a"]["log"][-1], f"{about}: {state['a']['log'][-1]}")
        player.press(Keys.ARROW_RIGHT)
        expect(player.address_shown, f"#{key}-event-{part['events'][-1]['number']}", "at the end")


def keys_move_and_stay_out_of_the_way(player, run):
    """Home, End and arrows move. They stay with panes, lists and the browser if those need them."""
    player.open(run.address)
    key, part = next(iter(run.parts.items()))
    first, last = (f"#{key}-event-{part['events'][index]['number']}" for index in (0, -1))
    player.press(Keys.END)
    expect(player.address_shown, last, "End")
    player.press(Keys.HOME)
    expect(player.address_shown, first, "Home")
    player.press(Keys.ARROW_LEFT)
    expect(player.address_shown, first, "before the first event")
    player.press(Keys.ARROW_RIGHT, control=True)
    expect(player.address_shown, first, "Ctrl and an arrow")
    player.focus("#part")
    player.press(Keys.END)
    player.unfocus()
    player.select("#part", key)
    player.focus("#source")
    player.run("document.querySelector('#source').style.width = '200px'")
    player.press(Keys.ARROW_RIGHT)
    expect(player.address_shown, first, "an arrow in a pane that scrolls")
    player.run("document.querySelector('#source').style.width = ''")
    player.unfocus()
    player.focus("#next")
    player.press(" ")
    expect(player.address_shown, f"#{key}-event-{part['events'][1]['number']}", "Space on a button")
    expect(player.state["playing"], False, "Space on a button plays")
    player.focus("#slider")
    player.press(Keys.ARROW_LEFT)
    expect(player.address_shown, first, "an arrow on the slider")


def lanes_can_be_followed(player, run):
    """Shift and arrows, the buttons and the names in the picture stay in one lane."""
    player.open(run.address)
    for key, part in run.parts.items():
        player.select("#part", key)
        player.unfocus()
        for lane in dict.fromkeys(event["lane"] for event in part["events"]):
            events = [event for event in part["events"] if event["lane"] == lane]
            player.jump(part["events"].index(events[0]))
            for event in events[1:]:
                player.press(Keys.ARROW_RIGHT, shift=True)
                expect(player.address_shown, f"#{key}-event-{event['number']}", f"next in {lane}")
            expect(player.find("#lane-next").is_enabled(), False, f"a button after the end of {lane}")
            for event in reversed(events[:-1]):
                player.press(Keys.ARROW_LEFT, shift=True)
                expect(player.address_shown, f"#{key}-event-{event['number']}", f"back in {lane}")
    part = run.parts["part-1"]
    lane = part["events"][-1]["lane"]
    events = [event for event in part["events"] if event["lane"] == lane]
    player.select("#part", "part-1")
    player.jump(0)
    player.select("#lane", lane)
    if part["events"][0]["lane"] != lane:
        player.click("#lane-next")
    expect(player.address_shown, f"#part-1-event-{events[0]['number']}", f"the list, to {lane}")
    labels = player.run(
        "return [...document.querySelectorAll('.lane-label')].map((label) => label.textContent)")
    check(labels, "no name of a lane can be clicked")
    player.run("document.querySelector('.lane-label')"
               ".dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    check(labels[0].startswith(player.state["lane"]), f"a click on {labels[0]}")


def addresses_name_events(player, run):
    """An address opens its event, and a page can send its reader to another one."""
    for key, part in run.parts.items():
        number = part["events"][len(part["events"]) // 2]["number"]
        player.open(run.address, f"#{key}-event-{number}")
        expect(player.address_shown, f"#{key}-event-{number}", "address")
        player.press(Keys.ARROW_RIGHT)
    length = player.run("return history.length")
    player.press(Keys.HOME, *[Keys.ARROW_RIGHT] * 3)
    player.wait_until(lambda: player.run("return location.hash") == player.address_shown,
                      "the address doesn't follow")
    expect(player.run("return history.length"), length, "steps in the history")
    events = run.parts["part-1"]["events"]
    player.run("location.hash = arguments[0]", f"event-{events[-1]['number']}")
    expect(player.state["sentences"], [events[-1]["sentence"]], "an address without a part")
    player.run("location.hash = 'event-999999'")
    expect(player.state["sentences"], [events[0]["sentence"]], "an event that doesn't exist")
    player.run("location.hash = 'part-999'")
    expect(player.state["sentences"], [events[0]["sentence"]], "a part that doesn't exist")


def causes_are_told_on_request(player, run):
    """The chain of causes is that of the data, and each link goes to its event."""
    player.open(run.address)
    for key, part in run.parts.items():
        events = {event["number"]: event for event in part["events"]}

        def chain(event):
            return [event] + (chain(events[event["cause"]]) if "cause" in event else [])

        longest = max((chain(event) for event in part["events"]), key=len)
        player.select("#part", key)
        player.jump(part["events"].index(longest[0]))
        if player.state["causes"] is None:
            player.click("#because")
        expect(player.state["causes"], [f"{event['time']} {event['sentence']}" for event in longest],
               f"causes in {key}")
        player.run("[...document.querySelectorAll('#causes button')].at(-1).click()")
        expect(player.address_shown, f"#{key}-event-{longest[-1]['number']}", "the first cause")


def panels_show_what_goes_on(player, run):
    """Work on the clock, open requests and outstanding demand agree with the events."""
    player.open(run.address)
    for key, part in run.parts.items():
        player.select("#part", key)
        open_requests = set()
        for index, event in enumerate(part["events"]):
            if event["kind"] == "request-started":
                open_requests.add(event["lane"])
            if event["kind"] in ("request-finished", "request-failed", "request-cancelled"):
                open_requests.discard(event["lane"])
            player.jump(index)
            shown = player.run("""
              const list = (title) => [...document.querySelectorAll(".now dt")]
                .find((term) => term.textContent === title).nextElementSibling;
              const rows = (title) => [...list(title).querySelectorAll("li")];
              return [rows("Requests in flight").map((row) => row.firstChild.textContent),
                rows("Waiting on the clock").map((row) => row.firstChild.textContent)];""")
            about = f"{key} event {event['number']}"
            expect(set(shown[0]), open_requests, f"{about}: requests")
            dues = [work.get("due", "never") for work in event["pending"]]
            expected = dues[:5] + ([f"and {len(dues) - 5} more"] if len(dues) > 5 else [])
            expect(shown[1], expected, f"{about}: work on the clock")


def two_runs_share_a_playhead(player, run):
    """Comparing steps through the moments of both, and says where one of them is silent."""
    if len(run.parts) < 2:
        return
    keys = list(run.parts)
    # Runs of the same part, if there are several; else the first two parts.
    other = next((key for key in keys[1:] if key.endswith("-part-1")), keys[1])
    player.open(run.address)
    player.select("#compare", other)
    player.unfocus()
    player.press(Keys.HOME)
    sides = [run.parts[keys[0]], run.parts[other]]
    moments = sorted({moment(event) for part in sides for event in part["events"]})
    silent = 0
    for index, now in enumerate(moments):
        if index > 0:
            player.press(Keys.ARROW_RIGHT)
        state = player.state
        about = f"moment {index + 1} of {keys[0]} and {other}"
        for part, sentence, side in zip(sides, state["sentences"], (state["a"], state["b"])):
            event = next((event for event in part["events"] if moment(event) == now), None)
            if event:
                expect(sentence, event["sentence"], about)
            else:
                silent += 1
                check(sentence.startswith("Nothing"), f"{about}: {sentence}")
            expect(len(side["marked"]), 1 if event else 0, f"{about}: marks")
            later = [event for event in part["events"] if moment(event) > now]
            expect(side["faded"], len(later), f"{about}: faded marks")
    check(state["where"].startswith(f"moment {len(moments)} of {len(moments)}, "), state["where"])
    check(silent > 0 or len(sides[0]["events"]) == len(sides[1]["events"]), "no run is ever silent")
    player.run("location.hash = 'part-1'")
    expect(player.state["b"], None, "an address of one part ends the comparison")
    for index in (0, len(moments) // 2, -1):
        player.open(run.address)
        player.select("#compare", other)
        player.jump(index % len(moments))
        state = player.state
        player.open(run.address, state["hash"])
        expect(player.state, state, "the same address later")


def plays_and_pauses(player, run):
    """Space plays until the end or until it's pressed again. The page never plays by itself."""
    player.open(run.address)
    expect(player.state["playing"], False, "plays by itself")
    player.unfocus()
    player.press(" ")
    expect(player.state["playing"], True, "Space")
    first = player.address_shown
    player.wait_until(lambda: player.address_shown != first, "doesn't move while it plays")
    events = run.parts["part-1"]["events"]
    is_same_instant = events[0]["nanoseconds"] == events[1]["nanoseconds"]
    expect(player.state["live"], "off" if is_same_instant else "polite", "announced while it plays")
    player.press(" ")
    expect(player.state["playing"], False, "Space once more")
    player.press(Keys.END, " ")
    expect(player.address_shown, first, "playing from the end begins again")
    player.click("#next")
    expect(player.state["playing"], False, "a step pauses")
    expect(player.state["live"], "polite", "a step is announced")


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


def takes_keys_from_the_page_around_it(player, run):
    """A page that shows a player in a frame can pass keys on."""
    player.emulate(DESKTOP)
    player.driver.get(f"{run.address.rsplit('/', 1)[0]}/frame.html#{run.scenario}")
    events = run.parts["part-1"]["events"]
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
                .map((element) => [element.id || element.textContent, element.getBoundingClientRect()])
                .filter(([, box]) => box.width > 0 && (box.width < 44 || box.height < 44))
                .map(([name, box]) => `${name} ${box.width} × ${box.height}`)""")
            expect(small, [], f"{about}: small targets")


def has_no_barriers(player, run):
    """axe-core finds nothing, in both schemes and widths."""
    for width, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
        for index, anchor in enumerate(states(run)):
            player.open(run.address, anchor, width=width, scheme=scheme)
            if index % 2 == 1:
                player.click("#because")
            expect(player.violations(), [], f"{anchor}, {width} px, {scheme}")


def moves_nothing_if_motion_is_reduced(player, run):
    moving = "return [...document.querySelectorAll('*')].filter((element) =>" \
        "parseFloat(getComputedStyle(element).transitionDuration) > 0).length"
    player.open(run.address, motion="no-preference")
    check(player.run(moving) > 0, "nothing moves at all, so this test can't fail")
    player.open(run.address, motion="reduce")
    expect(player.run(moving), 0, "moving elements")


TESTS = [
    steps_through_all_events, keys_move_and_stay_out_of_the_way, lanes_can_be_followed,
    addresses_name_events, causes_are_told_on_request, panels_show_what_goes_on,
    two_runs_share_a_playhead, plays_and_pauses, follows_the_theme,
    takes_keys_from_the_page_around_it, fits_a_phone, has_no_barriers,
    moves_nothing_if_motion_is_reduced,
]


def write_players(programs, folder, scenarios):
    """Runs each scenario with --player, and returns the runs."""
    runs = []
    for scenario in scenarios:
        file = folder / f"{scenario}.html"
        subprocess.run(
            [programs / scenario, "--player", file], check=True, stdout=subprocess.DEVNULL)
        runs.append(Run(scenario, file))
    (folder / "frame.html").write_text(
        "<!doctype html><title>Frame</title><script>document.write("
        "`<iframe src='${location.hash.slice(1)}.html'></iframe>`)</script>", encoding="utf-8")
    return runs


def test_all(runs, axe):
    """Tests some runs in one browser, and returns how many tests there were and what failed."""
    count, failures = 0, []
    with tempfile.TemporaryDirectory(prefix="player-test-", ignore_cleanup_errors=True) as profile:
        player = Player(profile, axe)
        try:
            while runs:
                run = runs.pop()
                for test in TESTS:
                    count += 1
                    try:
                        test(player, run)
                        expect(player.messages(), [], "console")
                    except (Failure, WebDriverException) as failure:
                        text = getattr(failure, "msg", None) or str(failure)
                        failures.append(f"{run.scenario}: {test.__name__}: {text}")
        finally:
            player.quit()
    return count, failures


def main():
    programs, folder, scenarios = Path(sys.argv[1]), Path(sys.argv[2]).resolve(), sys.argv[3:]
    [axe] = glob.glob(f"{sys.prefix}/lib/python3*/site-packages/axe_playwright_python/axe.min.js")
    runs = write_players(programs, folder, scenarios)
    # The longest ones go first, because both browsers take from the end of the list.
    runs.sort(key=lambda run: sum(len(part["events"]) for part in run.parts.values()))
    text = Path(axe).read_text(encoding="utf-8")
    with ThreadPoolExecutor() as pool:
        results = [pool.submit(test_all, runs, text) for _ in range(BROWSERS)]
        counts, failures = zip(*[result.result() for result in results])
    failures = [failure for found in failures for failure in found]
    for failure in sorted(failures):
        print(failure, file=sys.stderr)
    print(f"player: {sum(counts) - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
