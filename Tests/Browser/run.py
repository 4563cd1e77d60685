"""A player's file, and what tests say about it."""

import json
import re

from page import Failure

PHONE = 390
DESKTOP = 1200


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

    @property
    def opened(self):
        """The key of the part that the page opens on, and the part."""
        return list(self.parts.items())[self.data["opening"]]

    @property
    def stepped(self):
        """The parts that tests step through event by event: the first one, and the longest."""
        longest = max(self.parts, key=lambda key: len(self.parts[key]["events"]))
        return {key: self.parts[key] for key in dict.fromkeys((next(iter(self.parts)), longest))}

    def file_of(self, event):
        return self.data["files"][event["file"]]["name"]


def moment(event):
    return event["nanoseconds"], event["place"]
