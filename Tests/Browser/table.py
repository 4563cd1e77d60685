"""Tests of what only a file has: a table of runs that were made in advance."""

import json
import random
import re
from pathlib import Path
from urllib.parse import unquote, urlencode, urlparse

from run import check, expect
from selenium.webdriver.common.action_chains import ActionChains

# What the picture has: the sentence and the time of each mark.
MARKS = """
return [...document.querySelectorAll("#picture .mark")].map((mark) =>
  [Number(mark.dataset.number), mark.querySelector("title").textContent]);
"""
MENDING = """
const text = (selector) => document.querySelector(selector)?.textContent ?? "";
return {
  screen: text("#screen .field:last-child p"),
  isRed: document.querySelector("#screen .field.differs") !== null,
  offer: document.getElementById("mend").hidden ? "" : text("#mend button"),
  hidden: [".choices", ".bar", ".code", "#endings"].filter((name) =>
    document.querySelector(name).checkVisibility()),
};
"""


def table_of(address):
    page = Path(unquote(urlparse(address).path)).read_text(encoding="utf-8")
    return json.loads(re.search(r'id="runs">(.*?)</script>', page, re.DOTALL).group(1))


def move(address, time):
    return f"{address} to {'never' if time is None else f'{time}ns'}"


def arrangements(table, count):
    """Some runs of a table, the same ones each time: arrangements, and other endings."""
    chosen = random.Random(7)
    groups = [(variant, group) for variant in table["variants"] for group in variant["groups"]
              if group["addresses"]]
    for variant, group in chosen.choices(groups, k=count) if groups else []:
        times = zip(group["addresses"], map(chosen.choice, group["times"]))
        yield variant, {"moves": [move(address, time) for address, time in times]}
    for variant in table["variants"]:
        for ending in chosen.sample(variant["endings"], min(2, len(variant["endings"]))):
            yield variant, {name: ending[name] for name in ("moves", "fault", "schedule")
                            if ending.get(name)}


def shows_runs_as_they_are(page, run):
    """An arrangement of the table shows what a live run of it shows."""
    table = table_of(run.address)
    for variant, choice in arrangements(table, 12):
        usual = run.part(variant["part"], flags=variant["flags"])
        times = {thing["address"]: thing.get("time") for thing in usual["things"]}
        # An address has no move for what stays.
        moves = [one for one in choice.get("moves", [])
                 if one not in [move(address, time) for address, time in times.items()]]
        live = run.part(variant["part"], flags=variant["flags"], **{**choice, "moves": moves})
        words = [("part", variant["part"]), *(("flag", flag) for flag in variant["flags"]),
                 *(("move", one) for one in moves),
                 *((name, choice[name]) for name in ("fault", "schedule") if name in choice)]
        page.open(run.address, "#" + urlencode(words))
        sentences = {event["number"]: f"{event['sentence']} {event['time']}"
                     for event in live["events"]}
        shown = dict(page.run(MARKS))
        expect(shown, {number: sentences.get(number) for number in shown}, f"marks of {words}")
        expect(page.state["slider"].split(" event ")[0].strip() != "", True, f"{words}: no run")
        count = page.run("return Number(document.getElementById('slider').max)")
        expect(count, len(live["events"]), f"events of {words}")


def says_what_it_does_not_have(page, run):
    """An address with a run that isn't in the table shows the usual run, and says what to do."""
    page.open(run.address, "#fault=request+99+times+out")
    remarks = "return [...document.querySelectorAll('#remarks li')].map((one) => one.textContent)"
    page.wait_until(lambda: page.run(remarks), "no remark about a run that isn't there")
    check(page.run(remarks)[0].startswith("This page doesn't have this run"), page.run(remarks))
    page.wait_until(lambda: "fault" not in page.run("return location.hash"), "the fault stays")


def moves_by_the_steps_of_the_table(page, run):
    """A key moves a handle to the next time that the table has, and another group's thing goes back."""
    table = table_of(run.address)
    variant = table["variants"][0]
    groups = [group for group in variant["groups"] if group["addresses"]]
    page.open(run.address, f"#part={variant['part']}")

    def time(address):
        words = [event["time"] for event in page.run(
            "return [...document.querySelectorAll('.handle')].map((one) => ({"
            "address: one.dataset.address, time: one.getAttribute('aria-valuetext')}))")
            if event["address"] == address]
        return words[0]

    for group in groups[:2]:
        address = group["addresses"][0]
        before = time(address)
        page.focus(f".handle[data-address={json.dumps(address)}]")
        page.press("\ue012" if before != "0 ms" else "\ue014")
        page.wait_until(lambda: time(address) != before, f"{address} doesn't move")
        expect(float(time(address).split()[0]) * 1e6 in group["times"][0], True,
               f"{address} at {time(address)}, which the table doesn't have")
        moved = re.findall(r"move=", page.run("return location.hash"))
        page.wait_until(lambda: page.run("return location.hash").count("move=") == 1,
                        f"moves of two groups: {moved}")


TESTS = [shows_runs_as_they_are, says_what_it_does_not_have, moves_by_the_steps_of_the_table]


def the_old_response_can_be_dragged(page, address):
    """The home page's stage: the wrong list appears while one drags, and a click mends it."""
    opening = "#part=1&flag=without-switch&move=GET+/search?q%3Dsw+to+800ms"
    old, new = '["sway", "swing", "swift"]', '["swift", "swiftly"]'
    for width, height in ((746, 560), (360, 700)):
        page.open(address, "?brief" + opening, width=width, height=height)
        state = page.run(MENDING)
        expect(state, {"screen": new, "isRed": False, "offer": "", "hidden": []}, f"at first, {width}")
        handle, ghost = page.find(".handle.moved"), page.find(".ghost")
        way = round(ghost.rect["x"] + ghost.rect["width"] / 2 - handle.rect["x"])
        drag = ActionChains(page.driver).click_and_hold(handle)
        for _ in range(4):
            drag = drag.move_by_offset(way // 4, 0)
        drag.release().perform()
        page.wait_until(lambda: page.run(MENDING)["offer"], f"no offer at {width}")
        state = page.run(MENDING)
        expect(state["screen"], old, f"after a drag, {width}")
        expect((state["isRed"], state["offer"]), (True, "flatMap → switchToLatest"), f"{width}")
        expect(page.violations(), [], f"axe at {width}")
        page.click("#mend button")
        page.wait_until(lambda: page.run(MENDING)["screen"] == new, f"it isn't mended at {width}")
        expect(page.run(MENDING)["offer"], "Back to flatMap", f"after the click, {width}")
        check(page.run("return document.documentElement.scrollWidth <= innerWidth"), f"wide: {width}")
