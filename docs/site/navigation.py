"""The order of the pages on the site, as the indexes of the course, the operators and others list them."""

import posixpath
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = "README.md"
COURSE = "docs/README.md"
OPERATORS = "docs/operators/README.md"
RECIPES = "docs/recipes/README.md"
EXERCISES = "docs/exercises/README.md"
LESSONS = "Lessons"
CONTRIBUTORS = "For contributors"
LISTED = re.compile(r"^(?:\d+\.|-) \[`?([^\]`]+)`?\]\(([^)]+\.md)\)", re.MULTILINE)


def fail(message):
    sys.exit(f"site: {message}")


def navigation(pages):
    """The pages in the order of the course, then the lists below it."""
    entries = course_lists()
    for title in (LESSONS, "Guides", CONTRIBUTORS):
        if not entries.get(title):
            fail(f"{COURSE} has no list of pages under '{title}'")
    reference, guides = ["docs/reference/README.md"], []
    for title, group in groups("Guides"):
        members = []
        for entry in group:
            path = next(iter(entry.values()))
            if path in reference or path in (OPERATORS, RECIPES, EXERCISES):
                continue
            (reference if path.startswith("docs/reference/") else members).append(entry)
        guides.append({title: members})
    return [
        {"Home": HOME},
        {"Course": [COURSE, *entries[LESSONS]]},
        {"Exercises": sections(
            pages, EXERCISES, (ROOT / EXERCISES).read_text(encoding="utf-8"),
            r"^\| \d+ \| \[([^\]]+)\]\(([^)/]+\.md)\)")},
        {"Guides": guides},
        {"Recipes": sections(pages, RECIPES, (ROOT / RECIPES).read_text(encoding="utf-8"))},
        {"Operators": operators(pages)},
        {"API reference": reference},
        {CONTRIBUTORS: [
            {"Contributing": "CONTRIBUTING.md"}, *entries[CONTRIBUTORS],
            {"Changelog": "CHANGELOG.md"}]},
    ]


def operators(pages):
    """The pages of operators, in the sections of their index. A page has one place."""
    text = (ROOT / OPERATORS).read_text(encoding="utf-8")
    return sections(pages, OPERATORS, text.split("\n## ")[1])


def sections(pages, index, text, link=r"^- \[([^\]]+)\]\(([^)/]+\.md)\):"):
    """An index page, and the pages that each of its sections lists, in links of one form.

    A page that several sections list belongs to the last of them.
    """
    parts = re.split(r"^### (.+)$", text, flags=re.MULTILINE)
    if len(parts) < 3:
        fail(f"{index} has no sections of pages")
    folder = posixpath.dirname(index)
    result, shown = [], set()
    for title, content in reversed([*zip(parts[1::2], parts[2::2])]):
        names = {f"{folder}/{file}": name
                 for name, file in re.findall(link, content, re.MULTILINE)}
        own = [{name: path} for path, name in names.items() if path not in shown]
        shown |= set(names)
        if own:
            result.insert(0, {title: own})
    lost = [path for path in pages
            if posixpath.dirname(path) == folder and path != index and path not in shown]
    if lost:
        fail(f"{index} doesn't list {', '.join(lost)} in a section")
    return [index, *result]


def course_sections():
    """The sections of the course's page, by their headings."""
    text = (ROOT / COURSE).read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def listed(text):
    """The pages of a list in the course's page."""
    return [
        {name: posixpath.normpath(posixpath.join("docs", path))}
        for name, path in LISTED.findall(text)]


def course_lists():
    """The lists of the course's page, by the headings of their sections."""
    return {title: listed(text) for title, text in course_sections().items()}


def groups(section):
    """The lists of a section of the course's page, with their headings."""
    parts = re.split(r"^### (.+)$", course_sections()[section], flags=re.MULTILINE)
    return [(title, listed(text)) for title, text in zip(parts[1::2], parts[2::2])]
