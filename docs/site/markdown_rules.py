"""Rewrites our pages, which code hosts show as they are, into the Markdown of the site's generator.

Nothing here changes what a page says. The generator's Markdown differs in details: lists need four
spaces, folded text has a syntax of its own, and links lead to pages instead of files.
"""

import re

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$")
ITEM = re.compile(r"^(\s*)([-*+]|\d+\.)( +)(\S.*)$")
# `](target)` with a relative target. Titles of links and targets with spaces don't occur.
LINK = re.compile(r"\]\((?![a-z]+:)([^()\s]+)\)")
DETAILS = re.compile(r"^(\s*)<details>\s*(?:<summary>(.*)</summary>)?\s*$")
SUMMARY = re.compile(r"^\s*<summary>(.*)</summary>\s*$")
ANSWER = re.compile(r"\(#answer-(\d+)\)")
ANSWER_LINK = re.compile(r"\s*\(\[Answers? \d+\]\(#answer-\d+\)(?:[^()]*\(#answer-\d+\))*\)")
NOTE = re.compile(r"  // \((\d+)\)$")


def rewrite(text, target_of, moves_answers=True):
    """Returns a page as the generator needs it.

    `target_of` gives the new target of a relative link. With `moves_answers`, each answer stands
    folded below its question instead of at the end.
    """
    lines = text.split("\n")
    lines = without_comments(answers_in_place(lines) if moves_answers else lines)
    lines = [line for block in code_and_prose(lines, target_of) for line in block]
    return "\n".join(folded(indented(lines))) + "\n"


def chapter(text, target_of, anchor):
    """Returns a page as a chapter to print, with an anchor: nothing is folded, notes stand in a
    list below their code, and the answers at the end."""
    text = re.sub(
        r"<details><summary>The same as text</summary>.*?</details>\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^\[←.*$", "", text, flags=re.MULTILINE)
    # Each chapter has an answer 1, so there's nothing to link.
    text = re.sub(r"\[([^\]]+)\]\(#[^)]+\)", r"\1", text)
    lines, fence = [], None
    for line in rewrite(text, target_of, moves_answers=False).split("\n"):
        match = FENCE.match(line)
        if match and (fence is None or closes(line, fence)):
            fence = match.group(2) if fence is None else None
            line = line.replace(" .annotate", "")
        elif fence is not None:
            line = re.sub(r"  // \((\d+)\)!$", r"  // (\1)", line)
        elif line.startswith("#"):
            line = f"#{line}"
        lines.append(line.replace("??? ", "???+ ", 1) if fence is None else line)
    title = next(index for index, line in enumerate(lines) if line.startswith("## "))
    lines[title] += f" {{ #{anchor} }}"
    return "\n".join(lines)


def answers_in_place(lines):
    """Moves each answer from the end of the page below its question, where the site folds it."""
    start, end, answers = answers_at_the_end(lines)
    if start is None:
        return lines
    result, waiting, indent, fence = [], [], "", None
    for line in lines[:start] + [""] + lines[end:]:
        if fence is None and not line.strip() and waiting:
            for number in waiting:
                answer = answers.pop(number)
                result += ["", f'{indent}<span id="answer-{number}"></span>', ""]
                result += [indent + text if text else "" for text in answer]
            waiting = []
        match = FENCE.match(line)
        if match and (fence is None or closes(line, fence)):
            fence = match.group(2) if fence is None else None
        numbers = [] if fence else [n for n in ANSWER.findall(line) if n in answers]
        if numbers:
            if not waiting:
                item = ITEM.match(line)
                indent = " " * (item.start(4) if item else len(line) - len(line.lstrip()))
            waiting += [number for number in numbers if number not in waiting]
            line = ANSWER_LINK.sub("", line).rstrip()
            if not line:
                continue
        result.append(line)
    if answers:
        raise ValueError(f"no question links the answer {min(answers)}")
    return result


def answers_at_the_end(lines):
    """The range of lines of the section with the answers, and the lines of each answer."""
    fence, start, number, answers = None, None, None, {}
    for index, line in enumerate(lines):
        match = FENCE.match(line)
        if match and (fence is None or closes(line, fence)):
            fence = match.group(2) if fence is None else None
        if fence is None and line == "## Answers":
            start = index
        elif start is not None:
            heading = re.match(r"### Answer (\d+)$", line)
            if fence is None and heading:
                number = heading.group(1)
                answers[number] = []
            elif fence is None and re.match(r"<!--|## ", line):
                return start, index, answers
            elif number:
                # The question stands above it now.
                line = re.sub(r"^<details><summary>.*", "<details><summary>Answer</summary>", line) \
                    if not any(answers[number]) else line
                answers[number].append(line)
    return start, len(lines), answers


def without_comments(lines):
    """Drops comments that stand on a line of their own. A list below one becomes a paragraph."""
    fence = None
    for line in lines:
        match = FENCE.match(line)
        if match and (fence is None or closes(line, fence)):
            fence = match.group(2) if fence is None else None
        if fence is None and re.match(r"^\s*<!--.*-->\s*$", line):
            continue
        yield line


def closes(line, fence):
    """Whether a line ends the code block that a fence of these marks began."""
    text = line.strip()
    return text.startswith(fence) and not text.strip(fence[0])


def code_and_prose(lines, target_of):
    """Gives each code block and each run of prose, with fences and links as the site has them."""
    prose, code, fence = [], [], None
    for line in lines:
        match = FENCE.match(line)
        if fence is None and match:
            yield links("\n".join(prose), target_of).split("\n") if prose else []
            prose, code, fence = [], [line], match
        elif fence is not None:
            code.append(line)
            if closes(line, fence.group(2)):
                yield block(code, fence)
                fence = None
        else:
            prose.append(line)
    yield links("\n".join(prose), target_of).split("\n") if prose else []


def links(text, target_of):
    """Rewrites the targets of relative links outside code spans."""
    pieces = re.split(r"(`+[^`]*`+)", text)
    # A link's title may be code, so its target can begin right after a span.
    for index in range(0, len(pieces), 2):
        pieces[index] = LINK.sub(lambda link: f"]({target_of(link.group(1))})", pieces[index])
    return "".join(pieces)


def block(code, fence):
    """A code block: the name of its source becomes its title, and its notes can be opened."""
    indent, marks, info = fence.groups()
    language, _, source = info.partition(" ")
    has_notes = any(NOTE.search(line) for line in code)
    options = [f".{language or 'text'}"]
    if has_notes:
        options.append(".annotate")
    if source:
        options.append(f'title="{title(language, source)}"')
        code = [NOTE.sub(r"  // (\1)!", line) for line in code]
    return [f"{indent}{marks} {{ {' '.join(options)} }}"] + code[1:]


def title(language, source):
    """The file of a block's source, without the part."""
    if language == "diff":
        return "what changes"
    path = re.match(r"[^#\s]+", source).group(0)
    return path.split("/")[-1].removesuffix(".txt")


def indented(lines):
    """Indents what belongs to a list item by four spaces a level, and sets lists apart."""
    levels, fence, previous = [], None, ""
    for line in lines:
        if fence is not None:
            yield shifted(line, levels)
            if closes(line, fence):
                fence = None
                previous = ""
            continue
        if not line.strip():
            yield ""
            previous = ""
            continue
        indent = len(line) - len(line.lstrip())
        item = ITEM.match(line)
        is_continuation = previous and not item and not FENCE.match(line)
        while levels and indent < levels[-1] and not is_continuation:
            levels.pop()
        if item:
            level = len(levels)
            if previous and not ITEM.match(previous) and not levels:
                yield ""
            marker, gap, text = item.group(2), item.group(3), item.group(4)
            levels.append(indent + len(marker) + len(gap))
            yield f"{' ' * 4 * level}{marker}{' ' * (4 - len(marker))}{text}"
        else:
            yield shifted(line, levels)
        match = FENCE.match(line)
        fence = match.group(2) if match else None
        previous = line


def shifted(line, levels):
    """A line with the indentation of its list item."""
    own = levels[-1] if levels else 0
    indent = len(line) - len(line.lstrip())
    return " " * 4 * len(levels) + line[min(own, indent):] if line.strip() else ""


def folded(lines):
    """Turns `<details>` into the generator's folded blocks, whose content may be Markdown."""
    depth, fence, waits = 0, None, None
    for line in lines:
        match = FENCE.match(line)
        if fence is not None:
            fence = None if closes(line, fence) else fence
        elif match:
            fence = match.group(2)
        else:
            opening = DETAILS.match(line)
            if opening:
                waits = " " * 4 * depth + opening.group(1)
                if opening.group(2):
                    yield waits + fold(opening.group(2))
                    waits = None
                depth += 1
                continue
            summary = SUMMARY.match(line)
            if waits is not None and summary:
                yield waits + fold(summary.group(1))
                waits = None
                continue
            if line.strip() == "</details>":
                depth -= 1
                yield ""
                continue
        yield " " * 4 * depth + line if line.strip() else ""


def fold(summary):
    """The opening of a folded block. Answers have a sign of their own."""
    kind = "success" if summary == "Answer" else "quote"
    return f'??? {kind} "{summary.replace(chr(34), "&quot;")}"'
