"""What the generator's pages lack: the names that the search ranks by, and names for screen readers.

The theme loads its index with every page, and its search counts words, so a question finds the pages that
repeat its words. `assets/search.js` answers instead. It takes the index that's written here, once a
reader searches, and the theme gets an empty one.
"""

import html
import json
import re
from pathlib import Path

# How much a name counts if it's all that a page and a question have in common.
TITLE, WORDS, HEADING, PURPOSE = 1, 1, 0.8, 0.8
# A page's opening has a list of these after "Use it to:" or "You need it if:".
ITEM = re.compile(r"<li>(.*?)</li>", re.DOTALL)
# A section of the navigation: a link with its title, and an empty label that names its list.
SECTION = re.compile(
    r'<span class="md-ellipsis">\s*([^<]+?)\s*</span>\s*</a>\s*<label class="md-nav__link[^"]*"'
    r' for="__nav_\w+"')
# A list inside the table of contents.
CONTENTS = re.compile(r'<nav class="md-nav" aria-label="[^"]*"(?=>\s*<ul)')
# Names and spaces in code, which have the colour of the code around them, and are half of its markup.
UNCOLOURED = re.compile(r'<span class="(?:n|w)">([^<]*)</span>')
THEMES_INDEX = ["search/search_index.json", "search/search_index.js"]

words_of_pages = {}


def on_page_content(content, page, **_):
    """Takes the words that people search a page by from its settings, and makes code lighter."""
    words_of_pages[page.url] = page.meta.get("words", [])
    return UNCOLOURED.sub(r"\1", content)


def on_post_page(output, page, **_):
    """Names the dialog of the search, and the lists in the navigation that have a page of their own.

    The lists in the table of contents aren't landmarks.
    """
    dialog = 'data-md-component="search" role="dialog"'
    if output.count(dialog) != 1:
        raise SystemExit(f"site: {page.url} has no dialog to search in, or several")
    output = output.replace(dialog, f'{dialog} aria-label="Search"')
    output = SECTION.sub(r'\g<0> aria-label="\1"', output)
    return CONTENTS.sub('<nav class="md-nav" role="none"', output)


def on_post_build(config, **_):
    """Writes the index of our search, and empties the theme's."""
    folder = Path(config["site_dir"])
    index = json.loads((folder / THEMES_INDEX[0]).read_text(encoding="utf-8"))
    pages = {}
    for entry in index["docs"]:
        location, _, anchor = entry["location"].partition("#")
        title = plain(entry["title"])
        if not anchor:
            pages[location] = new_page(location, title, entry)
        elif location in pages:
            pages[location]["names"].append([title, HEADING, anchor])
            pages[location]["sections"].append([anchor, title, plain(entry["text"])])
    lost = [url for url, words in words_of_pages.items() if words and url not in pages]
    if lost or not pages:
        raise SystemExit(f"site: the search's index has no page {', '.join(lost)}")
    text = json.dumps(list(pages.values()), ensure_ascii=False, separators=(",", ":"))
    (folder / "assets" / "search-index.js").write_text(
        f"window.searchIndex = {text};\n", encoding="utf-8")
    empty = json.dumps({"config": index["config"], "docs": []})
    for name, text in zip(THEMES_INDEX, (empty, f"var __index = {empty}")):
        (folder / name).write_text(text, encoding="utf-8")


def new_page(location, title, entry):
    """A page with all its names but those of its sections, which follow."""
    words = words_of_pages.get(location, [])
    page = {
        "location": location, "title": title, "words": words,
        "names": [[title, TITLE], [Path(location).stem.replace("-", " "), TITLE]],
        "sections": [["", title, plain(entry["text"])]],
    }
    page["names"] += [[word, WORDS] for word in words]
    page["names"] += [[plain(item), PURPOSE] for item in ITEM.findall(entry["text"])]
    if "boost" in entry:
        page["boost"] = entry["boost"]
    return page


def plain(text):
    """The text of HTML, with a line for each of its blocks."""
    text = re.sub(r"</(?:p|li|pre|td|th|tr|h\d)>|<br ?/?>", "\n", text)
    text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return "\n".join(line for line in (part.strip() for part in text.split("\n")) if line)
