"""Tests of what a reader sees at once: the event that's described, its sentence and the buttons."""

from page import LOOK
from run import check, expect, has_mark

# A desktop, a small window, and a phone.
SIZES = (1280, 900), (900, 700), (390, 844)

# A function that tells what's wrong with the place of the present mark, and of the controls.
SEEN = LOOK + """
const cut = (box, other) => ({
  left: Math.max(box.left, other.left), right: Math.min(box.right, other.right),
  top: Math.max(box.top, other.top), bottom: Math.min(box.bottom, other.bottom),
});
const hidden = () => {
  const problems = ["#say", "#next", "#slider"].filter((selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return box.top < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
  });
  const mark = document.querySelector("#stage .mark.on");
  if (!mark) return problems;
  const sign = [...mark.children].find((child) => !child.matches("title"));
  const box = sign.getBoundingClientRect();
  let view = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
  for (let pane = mark.parentElement; pane; pane = pane.parentElement) {
    if (getComputedStyle(pane).overflowY !== "visible" && pane !== document.body
      && pane !== document.documentElement) view = cut(view, pane.getBoundingClientRect());
  }
  const inside = box.left >= view.left - 1 && box.right <= view.right + 1
    && box.top >= view.top - 1 && box.bottom <= view.bottom + 1;
  const seen = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  if (!inside || !mark.contains(seen)) {
    problems.push(`mark ${mark.dataset.number} at ${Math.round(box.left)},${Math.round(box.top)}`
      + ` in ${Object.values(view).map(Math.round)}, covered by ${seen?.outerHTML.slice(0, 80)}`);
  }
  return problems;
};
"""
# Steps through all events with the arrow key, and returns what's hidden at each of them, and
# whether it has a mark.
STEPS = SEEN + """
press("Home");
return Array.from({ length: Number(document.getElementById("slider").max) }, () => {
  press("ArrowRight");
  return [hidden(), state().on.length > 0];
});
"""


def shows_each_event(page, run):
    """No step leads out of view, in the picture's pane and in the window, at each size."""
    problems, steps = [], 0
    for width, height in SIZES:
        for number, part in run.parts.items():
            page.open(run.address, f"#part={number}", width=width, height=height)
            for event, (hidden, is_marked) in zip(part["events"], page.run(STEPS)):
                about = f"{width} × {height}, part {number} event {event['number']}"
                problems += [f"{about}: {one}" for one in hidden]
                if has_mark(event, part["events"]) and not is_marked:
                    problems.append(f"{about}: no mark")
                steps += 1
    check(not problems, f"{len(problems)} problems in {steps} steps, such as {problems[:3]}")


def turns_with_the_window(page, run):
    """The mark stays in view if the window gets another size."""
    number, events = run.longest
    drawn = [index for index, event in enumerate(events) if has_mark(event, events)]
    for index in (drawn[len(drawn) // 2], drawn[-1]):
        page.open(run.address, f"#part={number}&event={events[index]['number']}")
        for width, height in (*SIZES, (768, 1024), (390, 700), (1280, 900)):
            page.emulate(width, height)
            page.next_frame()
            expect(page.run(SEEN + "return hidden()"), [],
                   f"out of view at {width} × {height}, event {events[index]['number']}")


def fits_a_window(page, run):
    """Nothing has to be scrolled sideways, and buttons are large enough, whatever is open."""
    for width, height in SIZES:
        page.open(run.address, width=width, height=height)
        page.click("#because")
        for tab in page.run("return [...document.querySelectorAll('#tabs button')]"
                            ".map((tab) => tab.textContent)"):
            page.choose_tab(tab)
            scroll, view = page.run("const root = document.documentElement;"
                                    "return [root.scrollWidth, root.clientWidth]")
            check(scroll <= view, f"{tab} at {width}: {scroll} px wide")
        page.run("document.querySelector('#keys').open = true")
        small = page.run("""
          return [...document.querySelectorAll("button, select, input:not([type=checkbox])")]
            .map((one) => [one.id || one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.width < 43.9 || box.height < 43.9))
            .map(([name, box]) => `${name} ${box.width} × ${box.height}`)""")
        expect(small, [], f"small targets at {width}")


TESTS_OF_RUNS = [shows_each_event, fits_a_window]
TESTS_OF_PAGE = [turns_with_the_window]
