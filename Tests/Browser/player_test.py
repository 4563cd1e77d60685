"""Tests the page of `--player` for each scenario in headless Chromium.

Usage: player_test.py PROGRAMS_FOLDER OUTPUT_FOLDER SCENARIO ...
"""

import glob
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import stepping
import surroundings
import view
from page import Failure, Player
from run import Run, expect
from selenium.common.exceptions import WebDriverException

BROWSERS = 2
MODULES = stepping, surroundings, view
TESTS_OF_RUNS = [test for module in MODULES for test in module.TESTS_OF_RUNS]
TESTS_OF_PAGE = [test for module in MODULES for test in module.TESTS_OF_PAGE]


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


def shape(run):
    """What the page shows differently: one part, several parts, or several runs."""
    return len(run.data["runs"]) > 1, len(run.parts) > 1


def test_plan(runs):
    """The tests of each run. All have the same page, which is tested once for each shape of a run.

    It's tested with the longest run, because a short one has too little to ask about.
    """
    def length(run):
        return max(len(part["events"]) for part in run.parts.values())

    shapes = {shape(run): run for run in sorted(runs, key=length)}
    return [
        (run, TESTS_OF_RUNS + (TESTS_OF_PAGE if shapes[shape(run)] is run else []))
        for run in runs]


def test_all(plan, axe):
    """Carries out a plan in one browser, and returns how many tests there were and what failed."""
    count, failures = 0, []
    with tempfile.TemporaryDirectory(prefix="player-test-", ignore_cleanup_errors=True) as profile:
        player = Player(profile, axe)
        try:
            while plan:
                run, tests = plan.pop()
                for test in tests:
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
    plan = test_plan(runs)
    with ThreadPoolExecutor() as pool:
        results = [pool.submit(test_all, plan, text) for _ in range(BROWSERS)]
        counts, failures = zip(*[result.result() for result in results])
    failures = [failure for found in failures for failure in found]
    for failure in sorted(failures):
        print(failure, file=sys.stderr)
    print(f"player: {sum(counts) - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
