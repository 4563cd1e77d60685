"""A stage in headless Chromium, as a reader sees it."""

import shutil
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

# Functions that tell what the page shows about the present moment.
LOOK = """
const text = (element) => element ? element.textContent : null;
const texts = (selector) => [...document.querySelectorAll(selector)]
  .filter((element) => element.checkVisibility()).map(text);
const numbers = (selector) => [...new Set([...document.querySelectorAll(selector)]
  .map((mark) => Number(mark.dataset.number)))].sort((one, other) => one - other);
const state = () => ({
  hash: decodeURIComponent(location.hash.replaceAll("+", " ")),
  sentence: text(document.querySelector("#say .sentence, #say .silent")),
  notes: texts("#say .note"),
  where: text(document.getElementById("where")),
  live: document.getElementById("say").getAttribute("aria-live"),
  clock: text(document.getElementById("clock")),
  slider: document.getElementById("slider").getAttribute("aria-valuetext"),
  on: numbers("#stage .mark.on"),
  later: numbers("#stage .mark.later"),
  marks: numbers("#stage .mark"),
  rows: [...document.querySelectorAll("#source .row.on")].map((row) => Number(row.dataset.line)),
  tab: text(document.querySelector('#tabs [aria-selected="true"]')),
  transcript: [...document.querySelectorAll("#transcript li")].map(text),
  causes: document.getElementById("causes").hidden ? null : texts("#causes button"),
  question: texts("#choices button").map((choice) => choice.slice(2)),
  playing: document.body.classList.contains("playing"),
});
const press = (key, options = {}) => document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, ...options }));
"""

AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  done(violations.map(({ id, nodes: [node] }) => `${id}: ${node.html} ${node.failureSummary}`)));
"""


class Failure(Exception):
    """A sentence that says what's wrong."""


class Page:
    """An open page, and what a reader can do with it."""

    def __init__(self, profile, axe):
        self.axe = axe
        options = Options()
        options.binary_location = shutil.which("chromium") or ""
        for argument in (
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                "--disable-background-networking", f"--user-data-dir={profile}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(30)

    def open(self, address, anchor="", width=1200, height=900, **media):
        """Opens a page from the start, and waits for its run."""
        self.emulate(width, height, **media)
        # A change of the anchor alone wouldn't load the page again.
        self.driver.get("about:blank")
        self.driver.get(address + anchor)
        self.wait_for_run()

    def wait_for_run(self):
        run = "return document.querySelector('#where').textContent"
        self.wait_until(lambda: self.run(run), lambda: "the page shows no run: " + self.run(
            "return location.href + ' ' + document.querySelector('#problem').textContent"), 60)

    def open_in_frame(self, folder, address):
        """Opens a page in a frame of another one, and waits for its run."""
        self.emulate(1200)
        frame = folder / "frame.html"
        frame.write_text(f"<!doctype html><title>Frame</title><iframe src='{address}'></iframe>",
                         encoding="utf-8")
        self.driver.get("about:blank")
        self.driver.get(frame.as_uri())
        self.in_frame(self.wait_for_run)

    def in_frame(self, action):
        """What an action returns in the page's frame."""
        self.driver.switch_to.frame(0)
        try:
            return action()
        finally:
            self.driver.switch_to.default_content()

    def emulate(self, width, height=900, scheme="light", motion="reduce"):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    @property
    def state(self):
        return self.run(LOOK + "return state()")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def press(self, *keys, shift=False, control=False):
        """Presses keys on the element that has the focus."""
        actions = ActionChains(self.driver, duration=0)
        held = [Keys.SHIFT] * shift + [Keys.CONTROL] * control
        for key in held:
            actions.key_down(key)
        actions.send_keys(*keys)
        for key in held:
            actions.key_up(key)
        actions.perform()

    def unfocus(self):
        self.run("document.activeElement?.blur()")

    def focus(self, selector):
        self.run("document.querySelector(arguments[0]).focus()", selector)

    def click(self, selector):
        self.find(selector).click()

    def step_to_question(self):
        """Steps until the page asks something. Returns whether it does before the end."""
        while not self.state["question"]:
            if not self.find("#next").is_enabled():
                return False
            self.click("#next")
        return True

    def choose_tab(self, name):
        self.run("[...document.querySelectorAll('#tabs button')]"
                 ".find((tab) => tab.textContent === arguments[0]).click()", name)

    def select(self, selector, value):
        Select(self.find(selector)).select_by_value(str(value))

    def violations(self):
        """What axe-core finds on the page as it is."""
        if not self.run("return typeof axe === 'object'"):
            self.run(self.axe)
        return self.driver.execute_async_script(AXE)

    def jump(self, count):
        """Moves the slider to the moment after a number of events."""
        self.run("const slider = document.querySelector('#slider'); slider.value = arguments[0];"
                 "slider.dispatchEvent(new Event('input'))", count)

    def next_frame(self):
        """Waits until the page has been painted, as after a change of the window."""
        self.driver.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def wait_until(self, condition, about, seconds=10):
        """Waits for something that the page does by itself, or says what about it is wrong."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise Failure(about() if callable(about) else about)
            time.sleep(0.02)

    def messages(self):
        """The messages of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if "favicon" not in entry["message"]]

    def quit(self):
        self.driver.quit()
