"""A player in headless Chromium, as a reader sees it."""

import shutil
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

# Everything that the page shows about the current moment.
STATE = """
const text = (element) => element ? element.textContent : null;
const side = (name) => {
  const root = document.querySelector(".picture." + name);
  if (root.hidden) return null;
  return {
    name: text(root.querySelector(".run-name")),
    form: /(wide|narrow)e\\d+$/.exec(root.querySelector("g[data-x]")?.id)?.[1],
    marked: [...root.querySelectorAll("g.on")].map((mark) => mark.id),
    faded: root.querySelectorAll("g.later").length,
    marks: root.querySelectorAll("g[data-x]").length,
    heads: [...root.querySelectorAll(".playhead")].filter((head) => head.getAttribute("d")).length,
    log: [...document.querySelectorAll(`.log.${name} li`)].map(text),
  };
};
const row = document.querySelectorAll("#source .row.on");
return {
  hash: document.getElementById("link").textContent,
  sentences: [...document.querySelectorAll("#say p")]
    .filter((line) => line.checkVisibility()).map(text),
  notes: [...document.querySelectorAll("#say .note")].map(text),
  where: text(document.querySelector("#say small")),
  live: document.getElementById("say").getAttribute("aria-live"),
  clock: text(document.getElementById("clock")),
  rows: [...row].map((row) => Number(row.dataset.line)),
  file: text(document.querySelector('#files [aria-pressed="true"]'))
    || text(document.getElementById("code-title")),
  lane: document.getElementById("lane").value,
  slider: document.getElementById("slider").getAttribute("aria-valuetext"),
  causes: document.getElementById("causes").hidden ? null
    : [...document.querySelectorAll("#causes button")].map(text),
  playing: document.body.classList.contains("playing"),
  a: side("a"), b: side("b"),
};
"""

AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  done(violations.map(({ id, nodes: [node] }) => `${id}: ${node.html} ${node.failureSummary}`)));
"""


class Failure(Exception):
    """A sentence that says what's wrong."""


class Player:
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
        self.address = None

    def open(
            self, address, anchor="", width=1200, scheme="light", motion="reduce", height=900):
        """Opens a page anew."""
        self.emulate(width, scheme, motion, height)
        # A change of the anchor alone wouldn't load the page again.
        self.driver.get("about:blank")
        self.driver.get(address + anchor)

    def emulate(self, width, scheme="light", motion="reduce", height=900):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    @property
    def state(self):
        return self.run(STATE)

    @property
    def address_shown(self):
        """The address of the moment, which is part of `state` too."""
        return self.run("return document.getElementById('link').textContent")

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

    def select(self, selector, value):
        Select(self.find(selector)).select_by_value(value)

    def options(self, selector):
        return [option.get_attribute("value") for option in Select(self.find(selector)).options]

    def violations(self):
        """What axe-core finds on the page as it is."""
        if not self.run("return typeof axe === 'object'"):
            self.run(self.axe)
        return self.driver.execute_async_script(AXE)

    def jump(self, index):
        """Moves the slider to a moment."""
        self.run("const slider = document.querySelector('#slider'); slider.value = arguments[0];"
                 "slider.dispatchEvent(new Event('input'))", index)

    def wait_until(self, condition, about):
        """Waits for something that the page does by itself; fails after ten seconds."""
        end = time.monotonic() + 10
        while not condition():
            if time.monotonic() > end:
                raise Failure(about)
            time.sleep(0.02)

    def messages(self):
        """The messages of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def quit(self):
        self.driver.quit()
