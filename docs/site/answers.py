"""Puts the answers of a page back below their questions.

On the site an answer is folded, so it can stand where you need it. In the repository the answers
stand at the end of the page, because a terminal can't hide them.
"""

import re

QUESTION = re.compile(r"\s*\(\[Answer (\d+)\]\(#answer-\1\)\)(?=\n\n)")
SECTION = re.compile(r"^## Answers\n(.*?)(?=^<!-- navigation -->$|\Z)", re.MULTILINE | re.DOTALL)
ANSWER = re.compile(r"^### Answer (\d+)\n\n(.*?)(?=^### Answer |\Z)", re.MULTILINE | re.DOTALL)
SUMMARY = re.compile(r"<summary>.*?</summary>")


def below_questions(text):
    """Returns the page with each answer below its question, and without the section at the end."""
    section = SECTION.search(text)
    if not section:
        return text
    answers = {
        number: SUMMARY.sub("<summary>Answer</summary>", answer, count=1).rstrip("\n")
        for number, answer in ANSWER.findall(section.group(1))}
    text = text[:section.start()] + text[section.end():]
    text = QUESTION.sub(lambda link: "\n\n" + answers.pop(link.group(1)), text)
    if answers:
        raise ValueError(f"no question links the answers {', '.join(answers)}")
    return text
