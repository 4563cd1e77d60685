"""Checks the files of the site as they are: how much a page loads, and what old browsers can't read."""

import functools
import html.parser
import re
import urllib.parse

# A browser that's about three years old should show the site. It doesn't load a script at all if a regular
# expression in it looks behind itself, and drops a declaration of a style if it doesn't know a function.
YOUNG = {
    r"\(\?<[=!]": "looks behind itself in a regular expression, which Safari knows since 16.4",
    r"\.checkVisibility\(": "calls checkVisibility(), which Safari knows since 17.4",
    r"\bPromise\.(?:withResolvers|try)\(": "calls a function of Promise from 2024 or later",
    r"\b(?:Object|Map)\.groupBy\(": "calls groupBy(), which Safari knows since 17.4",
    r"\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(":
        "calls a function of Set from 2024",
}


class Loads(html.parser.HTMLParser):
    """What a page loads before a reader scrolls, and the text of its scripts.

    A `loads` is a set of files of which the browser takes one.
    """

    def __init__(self, text):
        super().__init__()
        self.loads, self.scripts = [], []
        self.picture, self.is_script = None, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.is_script = tag == "script" and values.get("type") in (None, "module")
        if tag == "picture":
            self.picture = set()
            self.loads.append(self.picture)
        name = {"img": "src", "source": "srcset", "script": "src", "iframe": "src"}.get(tag)
        if tag == "link" and values.get("rel") in ("stylesheet", "icon"):
            name = "href"
        if not values.get(name) or values.get("loading") == "lazy":
            return
        if tag in ("img", "source") and self.picture is not None:
            self.picture.add(values[name])
        else:
            self.loads.append({values[name]})

    def handle_data(self, data):
        if self.is_script:
            self.scripts.append(data)

    def handle_endtag(self, tag):
        self.is_script = False
        if tag == "picture":
            self.picture = None


@functools.cache
def loads_of(page):
    return Loads(page.read_text(encoding="utf-8"))


def size_of(page, address):
    """The bytes of a file of the site that a page names; none if it's in the page itself."""
    parts = urllib.parse.urlsplit(address)
    file = page.parent / urllib.parse.unquote(parts.path)
    return 0 if parts.scheme or not file.is_file() else file.stat().st_size


def heavy_pages(site, pages, most=500_000):
    """The pages that are larger than a number of bytes, with the styles, scripts and pictures they load.

    The whole course on one page is meant to be large.
    """
    count, problems = 0, []
    for page in pages:
        if page.name == "whole-course.html":
            continue
        count += 1
        size = page.stat().st_size + sum(
            max((size_of(page, address) for address in one), default=0)
            for one in set(map(frozenset, loads_of(page).loads)))
        if size > most:
            problems.append(
                f"{page.relative_to(site)}: {size} bytes with what it loads, over {most}")
    return count, problems


def young_features(site):
    """The scripts, also those in pages, with something that browsers of three years ago don't know."""
    count, problems = 0, []
    for file in sorted([*site.rglob("*.js"), *site.rglob("*.html")]):
        scripts = "\n".join(loads_of(file).scripts) if file.suffix == ".html" else (
            file.read_text(encoding="utf-8"))
        # The index of the search is text, and so is what it quotes.
        if not scripts or file.name in ("search-index.js", "search_index.js"):
            continue
        count += 1
        problems += [
            f"{file.relative_to(site)}: {about}: {scripts[max(0, found.start() - 30):found.end() + 30]!r}"
            for pattern, about in YOUNG.items() if (found := re.search(pattern, scripts))]
    return count, problems
