"""Tests how the stage lays out runs: what's in view, in which order, and with how much room."""

import re
import subprocess
import time

from page import Failure
from run import check, expect
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput

DESKTOP, SMALL, PHONE = (1280, 900), (900, 700), (390, 844)

# Where things are, in pixels of the window.
STATE = """
const box = (one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return { left, right, top, bottom };
};
const all = (selector) => [...document.querySelectorAll(selector)];
return {
  names: all("#picture .lane").map((one) => [one.lastChild.textContent, box(one).top]),
  titles: all("#track .lane title").map((one) => one.textContent),
  times: all("#track .time").map((one) => one.textContent),
  handles: all(".handle").map((one) => ({
    name: one.getAttribute("aria-label"), time: one.getAttribute("aria-valuetext"),
    label: one.textContent, labelBox: box(one.firstChild), ...box(one) })),
  marks: all("#picture .mark").map((one) => ({
    words: [...one.querySelectorAll(".words")].map((line) => line.textContent).join(" "),
    title: one.querySelector("title").textContent, ...box(one) })),
  on: all("#picture .mark.on").map(box)[0] ?? null,
  stage: box(document.getElementById("stage")),
  pane: box(document.querySelector(".left")),
  pinned: box(document.getElementById("pinned")),
  track: box(document.getElementById("track")),
  screen: box(document.getElementById("screen-card")),
  bar: box(document.querySelector(".bar")),
  width: document.documentElement.scrollWidth,
  events: Number(document.getElementById("slider").max),
  endings: all("#endings button").map((one) => ({
    title: one.querySelector("b").textContent, words: one.querySelector("small").textContent,
    differs: one.classList.contains("differs") })),
  address: decodeURIComponent(location.hash.replaceAll("+", " ")),
};
"""

# Overlaps of handles in the track, and of labels with each other.
OVERLAPS = """
const boxes = (selector) => [...document.querySelectorAll(selector)]
  .map((one) => [one.textContent, one.getBoundingClientRect()]).filter(([, box]) => box.width);
const found = [];
const labels = boxes(".handle span");
labels.forEach(([text, one], index) => labels.slice(index + 1).forEach(([other, two]) => {
  if (one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 3
    && two.top < one.bottom - 3) found.push(`${text} and ${other}`);
}));
return found;
"""


class Scenes:
    """Servers of scenarios, and the browser that shows their pages."""

    def __init__(self, browser, program):
        self.browser, self.program = browser, program
        self.servers = {}

    def address(self, scenario):
        if scenario not in self.servers:
            process = subprocess.Popen(
                [self.program, scenario, "--watch", f"Scenarios/{scenario}"],
                stdout=subprocess.PIPE, text=True)
            line = next(line for line in process.stdout if "http" in line)
            self.servers[scenario] = process, re.search(r"http://\S+/", line)[0]
        return self.servers[scenario][1]

    def open(self, scenario, part=1, size=DESKTOP, anchor=""):
        """Opens a part of a scenario at a size of the window."""
        self.browser.open(
            self.address(scenario), f"#part={part}{anchor}", width=size[0], height=size[1])
        self.until(lambda state: state["marks"], f"{scenario} shows no run", 120)
        return self.state

    @property
    def state(self):
        return self.browser.run(STATE)

    def until(self, condition, about, seconds=40):
        end = time.monotonic() + seconds
        while not condition(self.state):
            if time.monotonic() > end:
                raise Failure(f"{about}: {self.state}")
            time.sleep(0.05)
        return self.state

    def go(self, number):
        """Goes to the event with a number."""
        self.browser.run(
            "const slider = document.getElementById('slider'); slider.value = arguments[0];"
            "slider.dispatchEvent(new Event('input'))", number)

    def close(self):
        for process, _ in self.servers.values():
            process.terminate()
            process.wait()
        self.servers = {}


def named(things, words):
    return next(thing for thing in things if words in thing["name"])


def rows_go_from_the_sources_to_the_subscriber(scenes):
    for part, last in (1, "combineLatest"), (2, "zip"):
        heights = dict(scenes.open("poll-and-combine", part)["names"])
        for upper, lower in [
                ("ticks", "GET /sensors/thermometer"), ("GET /sensors/thermometer", "thermometer"),
                ("ticks", "GET /sensors/anemometer"), ("GET /sensors/anemometer", "anemometer"),
                ("thermometer", last), ("anemometer", last)]:
            check(heights[upper] < heights[lower], f"{upper} isn't above {lower}: {heights}")
    # Nothing is sent here, so only who asks whom tells the order.
    names = [name for name, _ in scenes.open("decode-user", 5)["names"]]
    expect(names, ["GET /users/ada/slow", "data task", "tryMap", "decode"], "the rows")


def marks_at_the_end_have_room(scenes):
    for scenario, part in [
            ("poll-and-combine", 1), ("poll-and-combine", 3), ("share-single-load", 1),
            ("decode-user", 4)]:
        for size in DESKTOP, SMALL, PHONE:
            state = scenes.open(scenario, part, size)
            for mark in state["marks"]:
                check(mark["right"] <= state["stage"]["right"] + 0.5,
                      f"{mark['title']} is clipped at {size}")
            last = max(state["marks"], key=lambda mark: mark["left"] if mark["words"] else 0)
            check("…" not in last["words"], f"{last['words']} is shortened at {size}")


def the_track_stays_in_view(scenes):
    for size in SMALL, PHONE:
        scenes.open("from-handler-to-publisher", 2, size)
        scrolled = set()
        for number in range(1, scenes.state["events"] + 1, 3):
            scenes.go(number)
            state = scenes.state
            scrolled.add(round(state["names"][0][1]))
            bottom = state["pane"]["bottom"] if size == SMALL else state["bar"]["top"]
            check(state["track"]["top"] >= -1 and state["track"]["bottom"] <= bottom,
                  f"event {number}: the track is out of view at {size}")
            mark = state["on"]
            check(not mark or mark["top"] >= state["pinned"]["bottom"] - 1
                  and mark["bottom"] <= bottom + 1,
                  f"event {number} is out of view at {size}: {mark}, {bottom}")
        check(len(scrolled) > 1, f"nothing scrolls at {size}, so this test can't fail")


def a_phone_shows_the_screen_while_one_drags(scenes):
    state = scenes.open("search-as-you-type", 1, PHONE)
    heights = set()
    for number in range(1, state["events"] + 1, 6):
        scenes.go(number)
        state = scenes.state
        heights.add(state["bar"]["bottom"] - state["bar"]["top"])
        check(abs(state["track"]["bottom"] - state["screen"]["top"]) < 4
              and state["screen"]["bottom"] < state["bar"]["top"],
              f"event {number}: the screen isn't below the track: {state['screen']}")
    check(len(heights) == 1 and max(heights) <= 150, f"the bar is {heights} pixels high")
    check(state["width"] <= PHONE[0], f"the page is {state['width']} pixels wide")
    # A finger needn't hit a handle's dot: 20 pixels to the side are near enough.
    handle = named(state["handles"], "q=swift")
    actions = ActionBuilder(
        scenes.browser.driver, mouse=PointerInput(POINTER_TOUCH, "finger"))
    finger = actions.pointer_action
    x, y = round(handle["left"]) + 18, round(handle["top"])
    finger.move_to_location(x, y).pointer_down().move_by(20, 0).move_by(40, 0).pointer_up()
    actions.perform()
    scenes.until(lambda state: "q=swift to " in state["address"], "a finger moves nothing")


def names_keep_what_differs(scenes):
    for size in DESKTOP, SMALL, PHONE:
        state = scenes.open("poll-and-combine", 3, size)
        expect(state["titles"], ["GET /sensors/thermometer", "GET /sensors/stuck-anemometer"],
               f"the rows of the track at {size}")
        expect(sorted(handle["label"] for handle in state["handles"]),
               [f"tick={number}" for number in (1, 1, 2, 2, 3, 3)], f"the labels at {size}")
        names = [name for name, _ in state["names"]]
        check(any(name.endswith("anemometer") and name.startswith("GET") for name in names),
              f"{names} at {size}")
        expect(scenes.browser.run(OVERLAPS), [], f"labels at {size}")
    for size in DESKTOP, SMALL, PHONE:
        scenes.open("search-as-you-type", 1, size)
        expect(scenes.browser.run(OVERLAPS), [], f"labels at {size}")
        labels = [handle["label"] for handle in scenes.state["handles"]]
        check({"s", "sw", "swif", "swift", "swiftu", "q=sw", "q=swift"} == set(labels), f"{labels}")
    marks = scenes.open("demand", 1, SMALL)["marks"]
    words = [mark["words"] for mark in marks if mark["title"].startswith("map delivers")]
    check(any("…" in one for one in words), f"nothing is shortened, so this can't fail: {words}")
    expect([one[-1] for one in words], list("12345"), "the ends of values")


def endings_differ_at_a_glance(scenes):
    scenes.open("poll-and-combine", 1)
    endings = scenes.until(lambda state: state["endings"], "no endings", 60)["endings"]
    words = [ending["words"] for ending in endings]
    expect(len(set(words)), len(words), f"buttons with the same words: {words}")
    check(any("thermometer?tick=1 at 3101 ms" in ending["title"] for ending in endings),
          f"{[ending['title'] for ending in endings]}")
    marked = [ending["differs"] for ending in endings]
    check(marked == sorted(marked, reverse=True) and len(set(marked)) == 2, f"marked: {marked}")
    scenes.browser.click("#endings button")
    scenes.until(lambda state: "move" in state["address"], "the ending isn't on the stage")
    scenes.browser.wait_until(
        lambda: scenes.browser.run(
            "return document.querySelectorAll('#endings [aria-pressed=true]').length === 1"),
        "the chosen ending isn't marked")


def what_comes_late_leaves_room(scenes):
    for size in DESKTOP, PHONE:
        state = scenes.open("retry-then-fallback", 4, size)
        first, second = (named(state["handles"], f", {number}") for number in ("#1", "#2"))
        check(second["left"] - first["left"] > 0.1 * size[0] * (0.5 if size == DESKTOP else 1),
              f"60 ms are {second['left'] - first['left']} pixels at {size}")
        check("2120 ms" in state["times"] and "10.1 s" in state["times"], f"{state['times']}")
        slow = named(state["handles"], "slow")
        check(slow["left"] < state["stage"]["right"], f"a late handle is at {slow['left']}")
        late = [mark for mark in state["marks"] if "2120 ms" in mark["title"]]
        check(len(late) == 3 and all(mark["left"] > second["left"] for mark in late), f"{late}")


def a_run_without_time_is_drawn_in_its_order(scenes):
    marks = scenes.open("first-stream", 2)["marks"]
    lefts = {mark["title"]: mark["left"] for mark in marks if mark["words"]}
    prices = [left for title, left in lefts.items() if title.startswith("prices")]
    check(len(prices) == 3 and all(
        later - earlier > 40 for earlier, later in zip(prices, prices[1:])), f"{lefts}")
    maps = [left for title, left in lefts.items() if title.startswith("map")]
    expect(maps, prices, "the places of what's made of the prices")
    # Without any lane, the picture shows what's printed.
    expect(scenes.open("first-stream", 1)["names"][0][0], "console", "the row")


TESTS = [
    rows_go_from_the_sources_to_the_subscriber, marks_at_the_end_have_room,
    the_track_stays_in_view, a_phone_shows_the_screen_while_one_drags, names_keep_what_differs,
    endings_differ_at_a_glance, what_comes_late_leaves_room,
    a_run_without_time_is_drawn_in_its_order]


def inputs_of_one_instant_have_their_own_labels(play):
    play.open()
    play.save('  world.hot("a-b-c', '  world.hot("x-y|", frame: .milliseconds(100), as: "other")\n'
              '    .lane("other").sink { _ in }.store(in: &world.cancellables)\n'
              '  world.hot("a-b-c')
    state = play.until(
        lambda state: any("other value 1" in name for name in state["handles"]), "no source")
    for words in "other value 1, x", "other value 2, y", "taps value 1, a", "taps value 2, b":
        check(words in state["handles"], f"{words} isn't in {list(state['handles'])}")
    play.save("", "")
    play.until(lambda state: not any("other" in name for name in state["handles"]),
               "the first code doesn't come back")
