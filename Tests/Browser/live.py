"""Tests of what only a live page can do: run whatever an address asks for."""

from urllib.parse import urlencode

from run import check, expect

SCENARIO = "search-as-you-type"
SECOND = "the response to GET /search?q=swift #2"

# What the handles, the remarks and the problem say.
STATE = """
const texts = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent);
return {
  handles: Object.fromEntries([...document.querySelectorAll(".handle")].map((handle) =>
    [handle.getAttribute("aria-label"), handle.getAttribute("aria-valuetext")])),
  remarks: texts("#remarks li"),
  problem: document.getElementById("problem").textContent,
};
"""


def moves_of_a_moved_run_are_kept(page, run):
    """An address may move what's there only because something else is moved."""
    moves = ["action 6 to 2600ms", "GET /search?q=swift #2 to 3300ms", "action 99 to 1ms"]
    expected = run.part(1, moves=moves)
    check(not any(thing["address"].endswith("#2") for thing in run.parts[1]["things"]),
          "the usual run has a second request, so this test can't fail")
    page.open(run.address, "#" + urlencode([("move", move) for move in moves]))
    page.wait_until(
        lambda: any(
            SECOND in name and time == "3300 ms"
            for name, time in page.run(STATE)["handles"].items()),
        lambda: f"the second move isn't kept: {page.run(STATE)}")
    expect(page.state["sentence"], expected["events"][-1]["sentence"], "the end")
    page.wait_until(lambda: "action 99" not in page.state["hash"], "the third move isn't forgotten")
    check("action 6" in page.state["hash"] and "#2" in page.state["hash"], page.state["hash"])
    remarks = page.run(STATE)["remarks"]
    check('nothing here is called "action 99".' in remarks, f"remarks: {remarks}")


def what_cannot_run_is_told(page, run):
    """An address with a fault that doesn't exist shows the usual run, and says so."""
    page.open(run.address, "#fault=nope")
    page.wait_until(lambda: '"nope" isn\'t a fault' in page.run(STATE)["problem"], "no problem")
    expect(page.state["sentence"], run.parts[1]["events"][-1]["sentence"], "the usual run")


TESTS = [moves_of_a_moved_run_are_kept, what_cannot_run_is_told]
