"""Tests of what a reader sees at once: the event that's described, its sentence and the buttons."""

from run import check, expect

# A phone, a tablet, a desktop, and a phone on its side.
SIZES = [(390, 844), (768, 1024), (1280, 900), (844, 390)]

# A function that notes what can't be seen now.
LOOK = """
const hidden = [];
const whole = (box) => box.top >= -1 && box.left >= -1
  && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
const look = (where, selectors) => {
  for (const selector of selectors) {
    if (!whole(document.querySelector(selector).getBoundingClientRect())) {
      hidden.push(`${where}: ${selector}`);
    }
  }
  for (const card of document.querySelectorAll(".picture")) {
    if (!card.checkVisibility()) continue;
    const pane = card.querySelector(".scrolls").getBoundingClientRect();
    const shows = (x, y) =>
      x >= pane.left && x <= pane.right && y >= pane.top && y <= pane.bottom
      && document.elementsFromPoint(x, y)
        .some((element) => element.closest("svg") && card.contains(element));
    const mark = card.querySelector("g.on");
    const sign = mark && [...mark.children].findLast((child) => !child.matches("title"));
    if (sign) {
      const box = sign.getBoundingClientRect();
      if (!shows(box.left + box.width / 2, box.top + box.height / 2) || !whole(box)) {
        hidden.push(`${where}: ${mark.id}`);
      }
      continue;
    }
    // A line that only repeats a value has no sign. The playhead shows its moment.
    const head = [...card.querySelectorAll(".playhead")].find((path) => path.getAttribute("d"));
    const box = head?.getBoundingClientRect();
    const top = box && Math.max(box.top, pane.top, 0);
    const bottom = box && Math.min(box.bottom, pane.bottom, innerHeight);
    if (box && !(bottom - top >= 20 && shows(box.left, (top + bottom) / 2))) {
      hidden.push(`${where}: the playhead`);
    }
  }
};
"""
# Steps through all moments with the arrow key, and returns what's hidden, and how many there are.
STEP = LOOK + """
const controls = ["#say", "#play", "#next", "#slider"];
const press = (key) =>
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const steps = Number(document.getElementById("slider").max);
press("Home");
look(0, controls);
for (let step = 1; step <= steps; step++) {
  press("ArrowRight");
  look(step, controls);
}
return [hidden, steps + 1];
"""
HIDDEN = LOOK + "look('now', []); return hidden;"


def shows_each_event(player, run):
    """No step leads out of view, in the picture's pane and in the window, at each size."""
    hidden, steps = [], 0
    for width, height in SIZES:
        player.open(run.address, width=width, height=height)
        views = [(key, "") for key in run.parts]
        # The first part next to the last one, which may be of another run.
        views += [(views[0][0], views[-1][0])] if len(views) > 1 else []
        for key, other in views:
            player.select("#part", key)
            if other:
                player.select("#compare", other)
            player.unfocus()
            found, count = player.run(STEP)
            hidden += [f"{width} × {height}, {key} {other} step {one}" for one in found]
            steps += count
    check(not hidden, f"{len(hidden)} things out of view in {steps} steps, such as {hidden[:3]}")


def shows_an_event_in_a_small_window(player, run):
    """A window that's too small for the page scrolls to the mark."""
    events = run.opened[1]["events"]
    player.open(run.address, width=390, height=220)
    for index in (0, len(events) // 2, len(events) - 1):
        player.run("scrollTo(0, document.documentElement.scrollHeight)")
        player.jump(index)
        expect(player.run(HIDDEN), [], f"out of view at event {events[index]['number']}")


def turns_with_the_window(player, run):
    """The mark stays in view if the window gets another size or form."""
    events = run.opened[1]["events"]
    for index in (len(events) // 2, len(events) - 1):
        player.open(run.address, width=1280, height=900)
        player.jump(index)
        for width, height in (*SIZES, (390, 600), (390, 844), (844, 390)):
            player.emulate(width, height=height)
            player.driver.execute_async_script(
                "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            expect(player.run(HIDDEN), [],
                   f"out of view at {width} × {height}, event {events[index]['number']}")


def fills_its_pane(player, run):
    """A short picture grows, but never so far that it has to be scrolled."""
    player.open(run.address, width=1280, height=900)
    for key in run.parts:
        player.select("#part", key)
        scale, room, scrolls = player.run("""
          const pane = document.querySelector(".picture .scrolls");
          const svg = pane.firstElementChild;
          const { width, height } = svg.viewBox.baseVal;
          return [svg.getBoundingClientRect().width / width,
            Math.min(pane.clientWidth / width, pane.clientHeight / height),
            pane.scrollHeight > pane.clientHeight + 1]""")
        about = f"{key}: scale {scale:.2f}, with room for {room:.2f}"
        check(scale > min(room, 1.6) - 0.01, about)
        check(not scrolls or scale < 1.16, f"{about}, and scrolls")


def opens_on_something_to_follow(player, run):
    """The part that the page opens on has steps, and asks, if any with a picture of its own does."""
    def asks(key=None):
        player.open(run.address, f"?predict{'#' + key if key else ''}")
        return player.run("""
          const next = document.getElementById("next");
          const question = document.getElementById("question");
          let steps = 0;
          while (question.hidden && !next.disabled) { next.click(); steps += 1; }
          return [!question.hidden, steps]""")

    has_question, _ = asks()
    player.open(run.address)
    opened = player.run("return document.getElementById('part').value")
    steps = len(run.parts[opened]["events"]) - 1
    check(steps > 1, f"{opened} has {steps} steps")
    if not has_question:
        others = [
            key for key, part in run.parts.items()
            if any(event["role"] != "console" for event in part["events"]) and asks(key)[0]]
        expect(others, [], f"{opened} asks nothing, but these do")


TESTS_OF_RUNS = [shows_each_event, fills_its_pane, opens_on_something_to_follow]
TESTS_OF_PAGE = [shows_an_event_in_a_small_window, turns_with_the_window]
