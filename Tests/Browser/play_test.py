"""Tests the page of `make play` in headless Chromium, with a program that changes while it's open.

Usage: play_test.py PLAY_PROGRAM PROGRAMS_FOLDER PLAYGROUND_FOLDER EXPECTED_TEST
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import layout
import live
import server
from page import Failure, Page
from run import Run, axe_core, check, expect, passes
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from stage_test import TESTS_OF_PAGE, TESTS_OF_RUNS

STATE = """
const text = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
const handles = [...document.querySelectorAll(".handle")];
return {
  marks: text("#stage svg .mark .words"),
  lanes: Object.fromEntries([...document.querySelectorAll("#stage svg .lane")]
    .map((name) => [name.textContent, Number(name.getAttribute("y"))])),
  ghosts: document.querySelectorAll("#stage .ghost").length,
  handles: Object.fromEntries(handles.map((handle) =>
    [handle.getAttribute("aria-label"), handle.getAttribute("aria-valuetext")])),
  screen: text("#screen .field").join(", "),
  differs: text("#difference li").join(" "),
  problem: document.getElementById("problem").hidden ? ""
    : document.getElementById("problem").textContent,
  hash: decodeURIComponent(location.hash.replaceAll("+", " ")),
  endings: text("#endings b"),
  building: document.body.classList.contains("building"),
};
"""


class Play:
    """A running server, its page, and the code that it shows."""

    def __init__(self, browser, program, name, folder):
        self.browser = browser
        self.main = folder / "main.swift"
        self.original = self.main.read_text(encoding="utf-8")
        self.program, self.name = program, name
        self.process = self.start()
        self.address = re.search(r"http://\S+/", self.process.stdout.readline())[0]

    def start(self):
        """Starts a server for this code."""
        return subprocess.Popen(
            [self.program, self.name, "--watch", str(self.main.parent)],
            stdout=subprocess.PIPE, text=True)

    def open(self, anchor="", width=1280, height=900, scheme="light"):
        self.browser.open(self.address, anchor, width=width, height=height, scheme=scheme)
        self.until(lambda state: state["marks"], "the page shows no run", 120)

    @property
    def state(self):
        return self.browser.run(STATE)

    def until(self, condition, about, seconds=40):
        """Waits until the page is in a state."""
        end = time.monotonic() + seconds
        while True:
            state = self.state
            if condition(state):
                return state
            if time.monotonic() > end:
                raise Failure(f"{about}: {state}")
            time.sleep(0.02)

    def save(self, old, new):
        self.main.write_text(self.original.replace(old, new), encoding="utf-8")

    def handle(self, words):
        return next(
            handle for handle in self.browser.driver.find_elements(By.CSS_SELECTOR, ".handle")
            if words in handle.get_attribute("aria-label"))

    def close(self):
        self.process.terminate()
        self.process.wait()


VALUE_2 = "value 2"


def time_of(state, words):
    return next(time for name, time in state["handles"].items() if words in name)


def shows_the_first_run(play):
    play.open()
    state = play.until(lambda state: state["endings"], "no other endings are found", 60)
    expect(state["marks"], ["a", "b", "c", "d", "e", "c", "e"], "the marks")
    check("e" in state["screen"], f"the screen: {state['screen']}")
    expect(state["problem"], "", "a problem")
    rows = play.browser.run("return document.querySelectorAll('#source .row').length")
    check(rows > 5, "no code")


def a_mouse_drags(play):
    play.open()
    before = play.state
    ActionChains(play.browser.driver).click_and_hold(play.handle(VALUE_2)) \
        .move_by_offset(15, 0).move_by_offset(15, 0).release().perform()
    state = play.until(
        lambda state: time_of(state, VALUE_2) != "200 ms", "the mouse moves nothing")
    state = play.until(lambda state: " to " in state["hash"], "the address doesn't know the move")
    expect(state["ghosts"], 1, "ghosts of the usual time")
    lanes = {name: y for name, y in before["lanes"].items() if name in state["lanes"]}
    expect({name: state["lanes"][name] for name in lanes}, lanes, "the places of the lanes")


def a_value_pushes_the_next(play):
    play.open()
    second, third = play.handle(VALUE_2), play.handle("value 3")
    distance = third.rect["x"] - second.rect["x"] + 30
    actions = ActionChains(play.browser.driver).click_and_hold(second)
    for _ in range(5):
        actions.move_by_offset(round(distance / 5), 0)
    actions.release().perform()
    state = play.until(
        lambda state: state["hash"].count(" to ") > 1, "the second value doesn't push the third")
    times = [float(time_of(state, f"value {number}").split()[0]) for number in range(1, 6)]
    expect(times, sorted(times), "the order of the values")


def a_finger_drags(play):
    play.open(width=390, height=844)
    handle = play.handle("value 5")
    actions = ActionBuilder(play.browser.driver, mouse=PointerInput(POINTER_TOUCH, "finger"))
    finger = actions.pointer_action
    finger.move_to(handle).pointer_down().move_by(-30, 0).move_by(-30, 0).pointer_up()
    actions.perform()
    play.until(lambda state: time_of(state, "value 5") != "1200 ms", "a finger moves nothing")


def keys_move(play):
    play.open()
    handle = play.handle(VALUE_2)
    play.browser.run("arguments[0].focus()", handle)
    play.browser.press("\ue014")  # the right arrow
    state = play.until(lambda state: time_of(state, VALUE_2) != "200 ms", "an arrow moves nothing")
    play.browser.press("\ue017")  # delete
    state = play.until(lambda state: time_of(state, VALUE_2) == "never", "Delete doesn't delete")
    check("never" in play.until(lambda state: "never" in state["hash"], "no move")["hash"], "hash")
    check("b" not in state["marks"] or play.until(
        lambda state: "b" not in state["marks"], "b still comes"), "b")
    play.browser.press("\ue003")  # backspace
    play.until(lambda state: time_of(state, VALUE_2) == "200 ms", "Backspace doesn't bring it back")
    state = play.until(lambda state: "b" in state["marks"], "b doesn't come back")
    expect(state["ghosts"], 0, "ghosts")


def a_double_click_adds_a_value(play):
    play.open()
    usual = play.state["handles"]
    copies = [f"{VALUE_2} copy {number}" for number in (1, 2)]
    has = lambda state, name: any(name in words for words in state["handles"])
    actions = ActionChains(play.browser.driver)
    # On the line of the source, between b and c.
    actions.move_to_element_with_offset(play.handle(VALUE_2), 33, 0).double_click().perform()
    state = play.until(lambda state: has(state, copies[0]), "a double click adds nothing")
    check(200 < float(time_of(state, copies[0]).split()[0]) < 400, f"it's added: {state['handles']}")
    play.until(lambda state: state["marks"].count("b") > 1, "the copy doesn't pass the pipeline")
    play.browser.run("arguments[0].focus()", play.handle(copies[0]))
    play.browser.press("+")
    state = play.until(lambda state: copies[1] in state["hash"], "a key adds nothing")
    # They're still there when the page is opened again.
    play.open(state["hash"].replace(" ", "+"))
    for name in copies:
        play.until(lambda state: has(state, name), f"the address doesn't bring {name}")
        play.browser.run("arguments[0].focus()", play.handle(name))
        play.browser.press("\ue017")  # delete
        play.until(lambda state: not has(state, name), f"Delete leaves {name}")
    state = play.until(lambda state: "copy" not in state["hash"], "the address keeps a copy")
    expect(state["handles"], usual, "the handles in the end")
    focused = play.browser.run("return document.activeElement.getAttribute('aria-label') ?? ''")
    check(VALUE_2 in focused, f"after Delete, the keyboard is at {focused}")
    # Behind the end, a value comes just before it.
    end = next(words for words in usual if "the end" in words)
    actions = ActionChains(play.browser.driver)
    actions.move_to_element_with_offset(play.handle(end), 30, 0).double_click().perform()
    copy = f"value 5 {copies[0].split(' ', 2)[2]}"
    state = play.until(lambda state: has(state, copy), f"no {copy} behind the end")
    expect(time_of(state, copy), usual[end], "the time of a copy behind the end")
    check("can't" not in state["differs"], state["differs"])


def an_address_brings_moves(play):
    name = next(iter(re.findall(r"^(.* value) 2", "\n".join(play.state["handles"]), re.M)))
    play.open(f"#move={name.replace(' ', '+')}+3+to+900ms")
    state = play.until(lambda state: time_of(state, "value 3") == "900 ms", "the move isn't there")
    check("b" in state["marks"], f"{state['marks']}")
    check("in the end" in state["differs"] or "on the way" in state["differs"],
          f"what differs: {state['differs']}")


def endings_can_be_chosen(play):
    play.open()
    play.until(lambda state: state["endings"], "no other endings are found", 60)
    play.browser.click("#endings button")
    play.until(lambda state: "move" in state["hash"], "the ending isn't on the stage")
    play.browser.click("#reset")
    play.until(lambda state: state["hash"] in ("", "#"), "the usual times don't come back")


def a_test_can_be_copied(play, expected):
    name = next(iter(re.findall(r"^(.* value) 2", "\n".join(play.state["handles"]), re.M)))
    play.open(f"#move={name.replace(' ', '+')}+2+to+500ms")
    play.until(lambda state: time_of(state, VALUE_2) == "500 ms", "the move isn't there")
    time.sleep(0.3)
    play.browser.click("#as-test")
    expect(play.browser.find("#test-text").text.strip(), expected.strip(), "the test")
    play.browser.press("\ue00c")  # escape


def a_mistake_is_shown(play):
    play.open()
    play.save(".debounce(", ".debonce(")
    state = play.until(lambda state: state["problem"], "the mistake isn't shown")
    check("main.swift:" in state["problem"] and "debonce" in state["problem"], state["problem"])
    check(state["marks"], "the last good run is gone")
    play.save("", "")
    play.until(lambda state: not state["problem"] and not state["building"], "it isn't mended")


def files_come_and_go(play):
    play.open()
    # From the second one on, an edit doesn't need the package manager.
    for word in "one", "two", "three":
        play.save("on screen:", f"{word}:")
        play.until(lambda state: word in state["screen"], f"{word} isn't shown")
    extra = play.main.parent / "Extra.swift"
    try:
        for word in "four", "five":
            extra.write_text(f'let label = "{word}:"\n', encoding="utf-8")
            play.save('"on screen:"', "label")
            play.until(lambda state: word in state["screen"], f"{word} isn't shown")
    finally:
        extra.unlink()
    state = play.until(lambda state: state["problem"], "a file that's gone isn't missed")
    check("label" in state["problem"], state["problem"])
    play.save("", "")
    play.until(lambda state: "on screen" in state["screen"], "it isn't mended")


def a_crash_is_shown(play):
    play.open()
    play.save(".sink {", '.sink { if $0 == "c" { fatalError("oops") };')
    state = play.until(lambda state: state["problem"], "the crash isn't shown")
    check("Fatal error: oops" in state["problem"], state["problem"])
    play.save("", "")
    play.until(lambda state: not state["problem"] and not state["building"], "it isn't mended")


def an_endless_loop_is_shown(play):
    play.open()
    play.save(".sink {", '.sink { while $0 == "c" {};')
    state = play.until(lambda state: state["problem"], "the loop isn't shown")
    check("takes longer" in state["problem"], state["problem"])
    play.save("", "")
    play.until(lambda state: not state["problem"] and not state["building"], "it isn't mended")
    time.sleep(1)
    children = subprocess.run(
        ["pgrep", "-P", str(play.process.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
    expect(len(children), 2, "programs that run: one for runs, and one for searches")


def a_loop_that_is_mended_at_once_is_forgotten(play):
    play.open()
    play.save(".sink {", '.sink { while $0 == "c" {};')
    play.until(lambda state: state["building"], "it isn't built")
    play.until(lambda state: not state["building"], "it isn't built")
    play.save("on screen", "shown")
    play.until(lambda state: "shown" in state["screen"], "the mended code isn't shown")
    play.save("", "")
    play.until(lambda state: "on screen" in state["screen"], "the first code doesn't come back")


def a_mistake_stays_while_one_drags(play):
    play.open()
    play.save(".debounce(", ".debonce(")
    play.until(lambda state: state["problem"], "the mistake isn't shown")
    play.browser.run("arguments[0].focus()", play.handle(VALUE_2))
    play.browser.press("\ue014")
    play.until(lambda state: time_of(state, VALUE_2) != "200 ms", "an arrow moves nothing")
    time.sleep(0.5)
    check("debonce" in play.state["problem"], "a drag hides the mistake")
    play.save("", "")
    play.until(lambda state: not state["problem"] and not state["building"], "it isn't mended")


def two_pages_are_served(play):
    play.open()
    first = play.browser.driver.current_window_handle
    play.browser.driver.switch_to.new_window("tab")
    play.open()
    play.save("on screen", "shown")
    play.until(lambda state: "shown" in state["screen"], "the second page doesn't show it")
    second = play.browser.driver.current_window_handle
    play.browser.driver.switch_to.window(first)
    state = play.until(lambda state: "shown" in state["screen"], "the first page doesn't show it")
    expect(state["marks"], ["a", "b", "c", "d", "e", "c", "e"], "the marks of the first page")
    play.browser.driver.switch_to.window(second)
    play.browser.driver.close()
    play.browser.driver.switch_to.window(first)
    play.save("", "")
    play.until(lambda state: "on screen" in state["screen"], "the first code doesn't come back")


def main():
    program, programs, folder, expected = map(Path, sys.argv[1:5])
    tests = [
        shows_the_first_run, a_mouse_drags, a_value_pushes_the_next, a_finger_drags, keys_move,
        a_double_click_adds_a_value, an_address_brings_moves, endings_can_be_chosen,
        lambda play: a_test_can_be_copied(play, expected.read_text(encoding="utf-8")),
        a_mistake_is_shown, files_come_and_go, a_crash_is_shown, an_endless_loop_is_shown,
        a_loop_that_is_mended_at_once_is_forgotten, a_mistake_stays_while_one_drags,
        two_pages_are_served, *server.TESTS,
        layout.inputs_of_one_instant_have_their_own_labels]
    tests_of_scenario = TESTS_OF_RUNS + TESTS_OF_PAGE + live.TESTS
    with tempfile.TemporaryDirectory() as profile:
        browser = Page(profile, axe_core())
        scenes = layout.Scenes(browser, program)
        play = Play(browser, program, "playground", folder)
        try:
            run = Run(programs / live.SCENARIO, scenes.address(live.SCENARIO))
            results = [passes(test, browser, browser, run) for test in tests_of_scenario]
            run.close()
            results += [passes(test, browser, scenes) for test in layout.TESTS]
            scenes.close()
            results += [passes(test, browser, play) for test in tests]
            server.measure(play, 50, 500)
        finally:
            scenes.close()
            play.close()
            browser.quit()
            play.save("", "")
    print(f"play: {len(results)} tests, {results.count(False)} failures")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
