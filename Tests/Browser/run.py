"""A scenario's parts, as its program runs them, and what tests say about them."""

import json
import subprocess
import sys
from pathlib import Path

from page import Failure
from selenium.common.exceptions import WebDriverException

PHONE = 390
DESKTOP = 1200

# What the picture draws no mark for: a line starts, asks for values, or belongs to the transcript.
UNDRAWN = "subscription", "request", "request-started"
# The fields of an event that it has only if they aren't those of the event before.
KEPT_FIELDS = "pending", "pendingLeftOut", "kept", "keptLeftOut", "requests"


def expect(actual, expected, about):
    if actual != expected:
        raise Failure(f"{about}: {actual!r}, expected {expected!r}")


def check(is_true, about):
    if not is_true:
        raise Failure(about)


def axe_core():
    """The script of axe-core, which looks for barriers."""
    [file] = Path(sys.prefix).glob(
        "lib/python3*/site-packages/axe_playwright_python/axe.min.js")
    return file.read_text(encoding="utf-8")


def passes(test, page, *arguments):
    """Carries out a test, says what's wrong, and returns whether all is right."""
    try:
        test(*arguments)
        expect(page.messages(), [], "console")
    except (Failure, WebDriverException) as failure:
        about = next((one.scenario for one in arguments if isinstance(one, Run)), "play")
        text = getattr(failure, "msg", None) or str(failure)
        print(f"✘ {about}: {test.__name__}: {text}", file=sys.stderr)
        page.driver.switch_to.window(page.driver.window_handles[0])
        page.messages()
        return False
    return True


def in_milliseconds(nanoseconds):
    if nanoseconds is None:
        return "never"
    return f"{nanoseconds / 1e6:.2f}".rstrip("0").rstrip(".") + " ms"


def written_out(events):
    """Events with what the data leaves out, because it's as before or follows from the others."""
    former = {"number": 0, "pending": [], "kept": [], "requests": [], "demands": []}
    for event in events:
        number = event["number"] = former["number"] + 1 + event.get("skipped", 0)
        event["time"] = in_milliseconds(event["nanoseconds"])
        if "cause" in event:
            event["cause"] = number - event["cause"]
        event["from"] = [number - distance for distance in event.get("from", [])]
        for field in KEPT_FIELDS:
            event.setdefault(field, former.get(field))
        demands = {demand["lane"]: demand
                   for demand in former["demands"] + event.get("demands", [])}
        event["demands"] = list(demands.values())
        former = event
    return events


class Run:
    """A page of a scenario, and what the scenario's program says that it should show."""

    def __init__(self, program, address):
        self.address = address
        self.files = []
        self.process = subprocess.Popen(
            [program, "--stage"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hello = json.loads(self.process.stdout.readline())
        self.scenario, self.flags = hello["scenario"], hello["flags"]
        self.parts = {
            number: self.part(number) for number in range(1, len(hello["parts"]) + 1)}

    def part(self, number, **variation):
        """Runs a part once more, perhaps with moves or flags."""
        request = {"id": 1, "part": number, "files": len(self.files), **variation}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        self.files = answer.get("files", self.files)
        written_out(answer["run"]["events"])
        return answer["run"]

    @property
    def stepped(self):
        """The parts that tests step through event by event: the first one, and the longest."""
        longest = max(self.parts, key=lambda number: len(self.parts[number]["events"]))
        return {number: self.parts[number] for number in sorted({1, longest})}

    @property
    def longest(self):
        """The number and the events of the longest part, in which most happens."""
        number = max(self.stepped, key=lambda number: len(self.stepped[number]["events"]))
        return number, self.stepped[number]["events"]

    def file_of(self, event):
        return self.files[event["file"]]["name"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def has_mark(event, events):
    """Whether the picture draws something for an event."""
    if event["kind"] in UNDRAWN:
        return False
    # Without any lane, the picture shows what's printed.
    if event["role"] == "console":
        return all(other["role"] == "console" for other in events)
    # A chunk of a body that comes with its response or its end says nothing more.
    return event["kind"] != "chunk" or not any(
        other["nanoseconds"] == event["nanoseconds"] and other["lane"] == event["lane"]
        and other["kind"] != "chunk" for other in events)
