"""Tests the page of `--player` for each scenario in headless Chromium.

Usage: stage_test.py PROGRAMS_FOLDER OUTPUT_FOLDER SCENARIO ...
"""

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import stepping
import surroundings
import table
import view
from page import Page
from run import Run, axe_core, passes

BROWSERS = 2
MODULES = stepping, surroundings, view
TESTS_OF_RUNS = [test for module in MODULES for test in module.TESTS_OF_RUNS]
TESTS_OF_PAGE = [test for module in MODULES for test in module.TESTS_OF_PAGE]


def write_pages(programs, folder, scenarios):
    """Runs each scenario with --player, and returns the runs."""
    runs = []
    for scenario in scenarios:
        file = folder / f"{scenario}.html"
        subprocess.run(
            [programs / scenario, "--player", file], check=True, stdout=subprocess.DEVNULL)
        runs.append(Run(programs / scenario, file.as_uri()))
    return runs


def length(run):
    return sum(len(part["events"]) for part in run.parts.values())


def test_plan(runs):
    """The tests of each run, the longest run last.

    All have the same page, which is tested once with one part, and once with several. It's tested
    with the longest run, because a short one has too little to ask about.
    """
    runs = sorted(runs, key=length)
    shapes = {len(run.parts) > 1: run for run in runs}
    return [(run, TESTS_OF_RUNS + table.TESTS + (TESTS_OF_PAGE if run in shapes.values() else []))
            for run in runs]


def test_all(plan, axe):
    """Carries out a plan in one browser. Returns which tests passed."""
    results = []
    with tempfile.TemporaryDirectory(prefix="stage-test-", ignore_cleanup_errors=True) as profile:
        page = Page(profile, axe)
        try:
            while plan:
                run, tests = plan.pop()
                results += [passes(test, page, page, run) for test in tests]
        finally:
            page.quit()
    return results


def main():
    programs, folder, scenarios = Path(sys.argv[1]), Path(sys.argv[2]).resolve(), sys.argv[3:]
    runs = write_pages(programs, folder, scenarios)
    # Both browsers take from the end of the list, where the longest ones are.
    plan, axe = test_plan(runs), axe_core()
    with ThreadPoolExecutor() as pool:
        browsers = [pool.submit(test_all, plan, axe) for _ in range(BROWSERS)]
        results = [result for browser in browsers for result in browser.result()]
    for run in runs:
        run.close()
    home = folder / "home.html"
    subprocess.run(["docs/site/home.sh", programs, home], check=True)
    with tempfile.TemporaryDirectory(prefix="stage-test-", ignore_cleanup_errors=True) as profile:
        page = Page(profile, axe)
        results.append(passes(table.the_old_response_can_be_dragged, page, page, home.as_uri()))
        page.quit()
    print(f"stage: {results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
