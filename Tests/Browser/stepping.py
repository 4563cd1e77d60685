"""Tests of all that moves through a run. Each opens the page, and raises a `Failure`."""

from page import LOOK
from run import check, expect, has_mark, in_milliseconds
from selenium.webdriver.common.keys import Keys

# Steps through all events with the arrow key, and returns what the page shows at each of them.
STEPS = LOOK + """
const count = Number(document.getElementById("slider").max);
press("Home");
const step = () => { press("ArrowRight"); return state(); };
return [state(), ...Array.from({ length: count + 1 }, step)];
"""


def sentence(event):
    return event["sentence"] if event else "Nothing has happened yet."


def steps_through_events(page, run):
    """Each event has its sentence, its mark and its line of code."""
    for number, part in run.stepped.items():
        page.open(run.address, f"#part={number}")
        events = part["events"]
        drawn = [event["number"] for event in events if has_mark(event, events)]
        states = page.run(STEPS)
        for index, event in enumerate([None, *events, events[-1]]):
            state = states[index]
            count = min(index, len(events))
            about = f"part {number} after {count} events"
            expect(state["sentence"], sentence(event), about)
            expect(state["where"], f"event {count} of {len(events)}", about)
            expect(state["marks"], drawn, f"{about}: marks")
            expect(state["on"], [one for one in drawn if event and one == event["number"]],
                   f"{about}: the mark of the present")
            expect(state["later"], [one for one in drawn if not event or one > event["number"]],
                   f"{about}: faded marks")
            if not event:
                continue
            check(event["sentence"] in state["slider"], f"{about}: slider says {state['slider']}")
            expect(state["clock"], event["time"], f"{about}: clock")
            if event.get("file") is not None:
                expect(state["rows"], [event["line"]], f"{about}: lines of code")
                expect(state["tab"], run.file_of(event), f"{about}: file")


def the_transcript_goes_up_to_the_moment(page, run):
    """The transcript has a line for each request and print, and each leads to its event."""
    for number, part in run.stepped.items():
        page.open(run.address, f"#part={number}")
        page.choose_tab("Transcript")
        states = page.run(STEPS)
        lines = []
        for state, event in zip(states[1:], part["events"]):
            if event["role"] in ("console", "request"):
                lines.append(event)
            about = f"part {number} event {event['number']}"
            expect(len(state["transcript"]), len(lines), f"{about}: lines of the transcript")
            for line, told in zip(state["transcript"], lines):
                check(line.split(None, 2)[0] in told["time"] and line.endswith(told["text"]),
                      f"{about}: {line}")
        for index, event in enumerate(lines[:3]):
            page.press(Keys.END)
            page.click(f"#transcript li:nth-child({index + 1})")
            expect(page.state["sentence"], event["sentence"], "a click on a line")


def keys_move_and_stay_out_of_the_way(page, run):
    """Home, End and arrows move. They stay with panes, lists and the browser if those need them."""
    events = run.parts[1]["events"]
    page.open(run.address)

    def is_at(count, about):
        expect(page.state["where"], f"event {count} of {len(events)}", about)

    is_at(len(events), "at first")
    page.press(Keys.HOME)
    is_at(0, "Home")
    page.press(Keys.ARROW_LEFT)
    is_at(0, "before the start")
    page.press(Keys.END)
    is_at(len(events), "End")
    page.press(Keys.ARROW_RIGHT)
    is_at(len(events), "after the last event")
    page.press(Keys.HOME)
    page.press(Keys.ARROW_RIGHT, control=True)
    is_at(0, "Ctrl and an arrow")
    page.focus("#speed")
    page.press(Keys.END)
    is_at(0, "End in a list")
    page.run("document.querySelector('#source pre').style.width = '3000px'")
    page.focus("#source")
    page.press(Keys.ARROW_RIGHT)
    is_at(0, "an arrow in a pane that scrolls")
    page.focus("#tabs [aria-selected=true]")
    page.press(Keys.ARROW_LEFT)
    is_at(0, "an arrow on a tab")
    expect(page.state["tab"], "Transcript", "an arrow on the first tab")
    check(page.run("return document.activeElement.textContent === 'Transcript'"), "the tab's focus")
    page.focus("#next")
    page.press(" ")
    is_at(1, "Space on a button")
    expect(page.state["playing"], False, "Space on a button plays")
    page.focus("#slider")
    page.press(Keys.ARROW_LEFT)
    is_at(0, "an arrow on the slider")
    page.focus(".handle")
    page.press(" ")
    expect(page.state["playing"], True, "Space on a handle")
    page.click("#as-test")
    page.press(" ")
    page.press(Keys.ESCAPE)
    check(not page.find("#test").is_displayed(), "Esc closes the test")


def goes_from_instant_to_instant(page, run):
    """The arrows up and down go to the first event of an instant."""
    for number, part in run.stepped.items():
        page.open(run.address, f"#part={number}&event=1")
        instants = {}
        for event in part["events"]:
            instants.setdefault(event["nanoseconds"], event["sentence"])
        down = page.run(LOOK + "return Array.from({ length: arguments[0] }, () => {"
                        "press('ArrowDown'); return state().sentence; })", len(instants) - 1)
        expect(down, list(instants.values())[1:], "the next instants")
        page.press(Keys.END, Keys.ARROW_DOWN)
        expect(page.state["sentence"], part["events"][-1]["sentence"], "the end")
        up = page.run(LOOK + "return Array.from({ length: arguments[0] }, () => {"
                      "press('ArrowUp'); return state().sentence; })", len(instants) - 1)
        expect(up, list(instants.values())[-2::-1], "the instants before")


def lanes_can_be_followed(page, run):
    """Shift and arrows, and the names in the picture, stay in one lane."""
    for number, part in run.stepped.items():
        page.open(run.address, f"#part={number}")
        for lane in dict.fromkeys(event["lane"] for event in part["events"]):
            indexes = [index for index, event in enumerate(part["events"]) if event["lane"] == lane]
            page.jump(indexes[0] + 1)
            there = page.run(LOOK + "return Array.from({ length: arguments[0] }, () => {"
                             "press('ArrowRight', { shiftKey: true }); return state().where; })",
                             len(indexes))
            places = [f"event {index + 1} of {len(part['events'])}" for index in indexes]
            expect(there, places[1:] + places[-1:], f"on in {lane}")
            back = page.run(LOOK + "return Array.from({ length: arguments[0] }, () => {"
                            "press('ArrowLeft', { shiftKey: true }); return state().where; })",
                            len(indexes))
            expect(back, places[-2::-1] + places[:1], f"back in {lane}")
    part = list(run.stepped.values())[-1]
    names = page.run("return [...new Set([...document.querySelectorAll('[data-lane]')]"
                     ".map((name) => name.dataset.lane))]")
    check(names, "no name of a row can be clicked")
    for lane in names:
        places = [index + 1 for index, event in enumerate(part["events"]) if event["lane"] == lane]
        page.press(Keys.HOME)
        for place in [*places, places[0]]:
            page.run("[...document.querySelectorAll('[data-lane]')]"
                     ".find((name) => name.dataset.lane === arguments[0])"
                     ".dispatchEvent(new MouseEvent('click', { bubbles: true }))", lane)
            expect(page.state["where"], f"event {place} of {len(part['events'])}",
                   f"a click on {lane}")


def setup_of(events):
    """How many events only prepare what follows."""
    return next((index for index, event in enumerate(events)
                 if event["kind"] not in ("subscription", "request")), 0)


# Counts the pauses of the page, and doesn't wait.
COUNT_PAUSES = """
window.pauses = [];
const wait = window.setTimeout;
window.setTimeout = (action, time, ...rest) => {
  window.pauses.push(time);
  return wait(action, 0, ...rest);
};
"""


def plays_at_a_speed(page, run):
    """The pause before the next instant gets shorter with the speed, and so does the one within."""
    number, _ = run.longest
    for speed, pauses in (("0.5", (1800, 600)), ("1", (900, 300)), ("2", (450, 150)),
                          ("4", (225, 75))):
        page.open(run.address, f"#part={number}")
        page.run(COUNT_PAUSES)
        page.select("#speed", speed)
        page.click("#play")
        page.wait_until(
            lambda: all(page.run("return window.pauses").count(pause) > 0 for pause in pauses),
            f"no pauses of {pauses} ms at speed {speed}")


def plays_and_pauses(page, run):
    """Space plays until the end or until it's pressed again. The page never plays by itself."""
    number, events = run.longest
    page.open(run.address, f"#part={number}")
    expect(page.state["playing"], False, "plays by itself")
    page.press(" ")
    expect(page.state["playing"], True, "Space")
    start = setup_of(events)
    page.wait_until(lambda: page.state["where"].startswith(f"event {start + 2} "),
                    "doesn't move while it plays")
    page.press(" ")
    expect(page.state["playing"], False, "Space once more")
    # Timers of less than 75 ms aren't those of steps.
    page.run("const clear = window.clearTimeout;"
             "window.timers = new Map();"
             "window.setTimeout = (action, wait) => {"
             "  timers.set(1e6 + timers.size, wait); return 1e6 + timers.size - 1; };"
             "window.clearTimeout = (timer) => { timers.set(timer, 0); clear(timer); };")
    steps = "return [...timers.values()].filter((wait) => wait >= 300).length"
    page.press(" ")
    expect(page.run(steps), 1, "steps to come while it plays")
    page.press(" ")
    expect(page.run(steps), 0, "steps to come after a pause")
    page.press(Keys.END, " ")
    expect(page.state["where"], f"event {start} of {len(events)}",
           "playing from the end begins before the first value")
    page.click("#next")
    expect(page.state["playing"], False, "a step pauses")
    expect(page.state["live"], "polite", "a step is announced")


def each_instant_is_said_once(page, run):
    """While it plays, a screen reader hears of the first event of each instant."""
    number, events = run.longest
    page.open(run.address, f"#part={number}&event=0")
    page.run("""
      window.said = [];
      new MutationObserver(() => {
        const say = document.getElementById("say");
        if (say.getAttribute("aria-live") !== "off") said.push(say.textContent);
      }).observe(document.getElementById("say"), { childList: true });""" + COUNT_PAUSES)
    page.click("#play")
    page.wait_until(lambda: page.state["where"] == f"event {len(events)} of {len(events)}",
                    "it doesn't come to the end")
    instants = {}
    for event in events[setup_of(events):]:
        instants.setdefault(event["nanoseconds"], event["sentence"])
    start = events[setup_of(events) - 1]["nanoseconds"] if setup_of(events) else 0
    instants.pop(start, None)
    expect(page.run("return window.said"), list(instants.values()), "what's said")


def plays_at_once_if_the_address_says_so(page, run):
    """`?play` starts the part that the address names. An address of an event shows that."""
    number, events = run.longest
    start = setup_of(events)
    page.open(run.address, f"?play#part={number}")
    expect(page.state["playing"], True, "?play")
    check(int(page.state["where"].split()[1]) >= start, "?play begins with the set-up")
    page.wait_until(lambda: page.state["where"].startswith(f"event {start + 2} "),
                    "?play doesn't go on")
    page.open(run.address, f"?play#part={number}&event=2")
    expect(page.state["playing"], False, "?play with an event")
    expect(page.state["sentence"], events[1]["sentence"], "?play with an event")


def swipes_go_on_and_back(page, run):
    """A finger that goes to the left over the sentence goes to the next event."""
    count = len(run.parts[1]["events"])
    page.open(run.address, "#event=1", width=390, height=844)

    def swipe(x, y):
        box = page.run("const box = document.querySelector('#say').getBoundingClientRect();"
                       "return [box.x + box.width / 2, box.y + box.height / 2]")
        for kind, points in (("touchStart", [box]), ("touchMove", [[box[0] + x, box[1] + y]]),
                             ("touchEnd", [])):
            page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    for x, y, place in ((-90, 5, 2), (-90, -5, 3), (90, 5, 2), (-20, 0, 2), (-60, 60, 2)):
        swipe(x, y)
        expect(page.state["where"], f"event {place} of {count}", f"after {x}, {y}")


def anchor(number, event=None):
    """The anchor of a part and an event. The first part, and the last event, need none."""
    words = [f"part={number}"] * (number > 1) + ([f"event={event['number']}"] if event else [])
    return "#" + "&".join(words) if words else ""


def addresses_name_events(page, run):
    """An address opens its event, and a page can send its reader to another one."""
    for number, part in run.parts.items():
        middle = part["events"][len(part["events"]) // 2]
        page.open(run.address, f"#part={number}&event={middle['number']}")
        expect(page.state["sentence"], middle["sentence"], "address")
        expect(page.find("#part").get_attribute("value"), str(number), "the list of parts")
    number, events = run.longest
    page.open(run.address, f"#part={number}")
    length = page.run("return history.length")
    page.press(Keys.HOME, *[Keys.ARROW_RIGHT] * 3)
    page.wait_until(lambda: page.state["hash"] == anchor(number, events[2]),
                    lambda: f"the address doesn't follow: {page.state['hash']}")
    page.press(Keys.END)
    page.wait_until(lambda: page.state["hash"] == anchor(number), "the last event needs no name")
    expect(page.run("return history.length"), length, "steps in the history")
    page.run("location.hash = arguments[0]", f"#part={number}&event={events[1]['number']}")
    page.wait_until(lambda: page.state["sentence"] == events[1]["sentence"],
                    "a new address leads nowhere")
    expect(page.state["notes"], [], "a note about an event that exists")
    page.run("location.hash = ''")
    # A file may open on another part than the first.
    opening = int(page.run("return document.getElementById('part').value"))
    last = run.parts[opening]["events"][-1]
    page.wait_until(lambda: page.state["sentence"] == last["sentence"], "an empty address")


def addresses_that_lead_nowhere_say_so(page, run):
    """An address of what doesn't exist shows what does, and a note about the rest."""
    number, part = list(run.parts.items())[-1]
    last = run.parts[1]["events"][-1]
    page.open(run.address)
    for text, event, note in (
            ("event=999", last, "There's no event 999 in this part; this is the last one."),
            (f"part={number}&event=999", part["events"][-1],
             "There's no event 999 in this part; this is the last one."),
            ("part=99", last, "There's no part 99 on this page; this is where it begins."),
            ("flag=nope", last, "There's no flag “nope” on this page."),
            ("move=nope", last, "“nope” isn't a move."),
            ("quotes", last, "There's no “quotes” on this page.")):
        page.run("location.hash = arguments[0]", text)
        page.wait_until(lambda: (page.state["notes"], page.state["sentence"])
                        == ([note], event["sentence"]),
                        lambda: f"{text}: {page.state}, expected {note}")
        page.press(Keys.ARROW_LEFT)
        expect(page.state["notes"], [], f"{text}: the note after a step")
        page.open(run.address, "#" + text)
        expect(page.state["notes"], [note], f"{text}, at first")


def a_part_can_be_chosen(page, run):
    """The list of parts shows the end of another part, wherever the reader was."""
    if len(run.parts) == 1:
        return
    page.open(run.address)
    for number, part in reversed(run.parts.items()):
        page.jump(1)
        page.select("#part", number)
        page.wait_until(lambda: page.state["sentence"] == part["events"][-1]["sentence"],
                        f"part {number} doesn't come")
        page.wait_until(lambda: page.state["hash"] == anchor(number),
                        lambda: f"the address of part {number}: {page.state['hash']}")


def chain_of(events, event):
    """The event, its causes, and the values that one of them is made of."""
    numbered = {event["number"]: event for event in events}
    numbers = [event["number"]]
    while "cause" in numbered[numbers[-1]]:
        numbers.append(numbered[numbers[-1]]["cause"])
    for number in numbers:
        numbers += [value for value in numbered[number]["from"] if value not in numbers]
    return [numbered[number] for number in sorted(numbers, reverse=True)]


def causes_are_told_on_request(page, run):
    """The chain of causes is that of the data, and each link goes to its event."""
    for number, part in run.parts.items():
        events = part["events"]
        longest = max((chain_of(events, event) for event in events), key=len)
        page.open(run.address, f"#part={number}&event={longest[0]['number']}")
        expect(page.state["causes"], None, "causes that weren't asked for")
        page.click("#because")
        expect(page.state["causes"],
               [f"{event['time']} {event['sentence']}" for event in longest], "causes")
        lit = page.run(LOOK + "return numbers('#stage.because .mark.reason, .because .mark.on')")
        drawn = sorted(event["number"] for event in longest if has_mark(event, events))
        expect(lit, drawn, f"what lights up in part {number}")
        page.run("[...document.querySelectorAll('#causes button')].at(-1).click()")
        expect(page.state["sentence"], longest[-1]["sentence"], "the first cause")
        page.jump(events.index(longest[0]) + 1)
        page.focus("#causes li:nth-last-child(2) button")
        page.press(Keys.ENTER)
        expect(page.state["sentence"], longest[-1]["sentence"], "Enter on a cause")
        check(page.run("return document.activeElement.matches('#causes li:first-child button')"),
              f"part {number}: Enter on a cause loses the focus")
        page.press(Keys.HOME)
        expect(page.state["causes"], None, "causes before the start")


def the_picture_stays_while_causes_are_told(page, run):
    """The list stands next to the picture, and the second click puts everything back."""
    page.open(run.address)
    place = "return JSON.stringify(document.querySelector('#stage svg').getBoundingClientRect())"
    before = page.run(place)
    page.click("#because")
    expect(page.run(place), before, "the picture's place")
    faded = ("return [...document.querySelectorAll('.because .mark:not(.reason, .on)')]"
             ".every((mark) => Number(getComputedStyle(mark).opacity) < 1)")
    page.wait_until(lambda: page.run(faded), "the rest doesn't fade")
    page.click("#because")
    expect(page.run("return document.querySelectorAll('.because').length"), 0,
           "what's lit after the second click")


# What tells about the time after the present moment, except for marks. A line ends at the clip.
FUTURE = """
const [now, next] = arguments;
const tells = [];
for (const mark of document.querySelectorAll("#stage .later")) {
  const { opacity, visibility } = getComputedStyle(mark);
  if (opacity !== "0" && visibility !== "hidden") tells.push(mark.outerHTML.slice(0, 200));
}
for (const handle of document.querySelectorAll(".handle")) {
  const words = handle.getAttribute("aria-valuetext");
  const time = words === "never" ? Infinity : Number.parseFloat(words) * 1e6;
  if (time >= next && handle.checkVisibility({ visibilityProperty: true })) {
    tells.push(handle.getAttribute("aria-label"));
  }
}
for (const line of document.querySelectorAll("#stage :is(.life, .wait, .time, .tick, .break)")) {
  if (!getComputedStyle(line).clipPath.includes("#clip")) tells.push(line.outerHTML);
}
for (const selector of ["#endings", "#differs", ".ghost"]) {
  if (document.querySelector(selector)?.checkVisibility()) tells.push(selector);
}
const edge = Number(document.getElementById("past").getAttribute("width"));
const head = Number(/M([\\d.]+)/.exec(document.querySelector(".playhead").getAttribute("d"))[1]);
if (Math.abs(edge - head) > 2) tells.push(`lines up to ${edge}, and now is ${head}`);
return tells;
"""


def asks_what_happens_next(page, run):
    """Predicting: three sentences of the run, one of them right, and a reply to the others."""
    number, events = run.longest
    sentences = [event["sentence"] for event in events]
    printed = {}
    page.open(run.address, f"?predict#part={number}")
    expect(page.state["where"], f"event {setup_of(events)} of {len(events)}", "where it begins")
    asked, replied = 0, set()
    for _ in range(len(events)):
        state = page.state
        place = int(state["where"].split()[1])
        if place == len(events):
            break
        now = events[place - 1]["nanoseconds"] if place else 0
        expect(page.run(FUTURE, now, events[place]["nanoseconds"]), [],
               f"what tells the future at event {place}")
        printed.update({event["text"]: True for event in events[:place]
                        if event["role"] == "console"})
        shown = page.run(
            "return [...document.querySelectorAll('#screen .field p')].map((p) => p.textContent)")
        check(all(any(text.endswith(field) for text in printed) for field in shown),
              f"{shown} on the screen at event {place}")
        page.press(Keys.ARROW_RIGHT)
        choices = page.state["question"]
        if not choices:
            continue
        asked += 1
        expect(page.state["where"], state["where"], "a question goes on by itself")
        expect(len(set(choices)), 3, "different choices")
        check(all(choice in sentences for choice in choices), f"{choices} aren't of the run")
        right = choices.index(sentences[place])
        wrong = (right + 1) % 3
        page.press(str((right if asked % 2 else wrong) + 1))
        state = page.state
        expect(state["sentence"], sentences[place], "what comes next")
        note = state["notes"][0]
        if asked % 2:
            expect(note, "Right.", "the reply to the right choice")
        else:
            check(note.startswith(f"You chose: {choices[wrong]} "), note)
            check(note.endswith(" Next is:"), note)
            replied.add(note)
    check(asked > 2 and replied, f"{asked} questions, {len(replied)} replies")
    score = page.run("return document.querySelector('#score').textContent")
    expect(score, f"{(asked + 1) // 2} of {asked} right at the first try", "the score")


def predicting_can_be_left(page, run):
    """Esc shows the next event without an answer, a step elsewhere too, and P ends it."""
    number, events = run.longest

    def ask():
        check(page.step_to_question(), "nothing is asked")
        return int(page.state["where"].split()[1])

    page.open(run.address, f"#part={number}")
    page.press("p")
    place = ask()
    page.press(Keys.ESCAPE)
    expect(page.state["sentence"], events[place]["sentence"], "Esc")
    expect(page.state["notes"], [], "a reply to Esc")
    ask()
    page.press(Keys.ARROW_LEFT)
    expect(page.state["question"], [], "a question after a step back")
    ask()
    page.press("p")
    expect(page.state["question"], [], "a question after P")
    for _ in range(3):
        page.press(Keys.ARROW_RIGHT)
        expect(page.state["question"], [], "a question after P and a step")
    visible = page.run("return [...document.querySelectorAll('.handle')]"
                       ".every((handle) => handle.checkVisibility({ visibilityProperty: true }))")
    check(visible, "handles stay hidden after P")


def panels_show_what_goes_on(page, run):
    """Work on the clock, open requests, kept values and demand agree with the events."""
    for number, part in run.stepped.items():
        page.open(run.address, f"#part={number}")
        page.choose_tab("Now")
        shown = page.run(LOOK + """
          const list = (title) => [...document.querySelectorAll("#now dt")]
            .find((term) => term.textContent === title)?.nextElementSibling;
          const rows = (title) => [...list(title)?.querySelectorAll("li") ?? []]
            .map((row) => [...row.children].map((one) => one.textContent));
          press("Home");
          return arguments[0].map(() => {
            press("ArrowRight");
            return [rows("Requests in flight"), rows("Waiting on the clock"),
              rows("Values kept by operators"), rows("Values asked for"),
              list("Running on").textContent];
          });""", part["events"])
        for event, (requests, work, kept, demands, thread) in zip(part["events"], shown):
            about = f"part {number} event {event['number']}"
            expect([row[0] for row in requests], [one["lane"] for one in event["requests"]],
                   f"{about}: requests")
            check(all(row[2].endswith(f"since {in_milliseconds(one['since'])}")
                      for row, one in zip(requests, event["requests"])), f"{about}: {requests}")
            more = [f"and {event['pendingLeftOut']} more"] if event["pendingLeftOut"] else []
            expect([row[0] for row in work],
                   [in_milliseconds(one.get("due")) for one in event["pending"]] + more,
                   f"{about}: work on the clock")
            expect([row[:2] for row in kept[:len(event["kept"])]],
                   [[one["keeper"], ", ".join(one["values"])] for one in event["kept"]],
                   f"{about}: kept values")
            expect(demands, [[one["lane"], one["rest"], f"{one['delivered']} delivered"]
                             for one in event["demands"]], f"{about}: demand")
            queue = event.get("thread")
            name = {"world": "the world's thread", "main": "the main queue",
                    None: "not recorded"}.get(queue, f"the queue {queue}")
            expect(thread, name, f"{about}: thread")


# These compare what the page shows with the events of the run.
TESTS_OF_RUNS = [
    steps_through_events, the_transcript_goes_up_to_the_moment, addresses_name_events,
    causes_are_told_on_request, panels_show_what_goes_on, lanes_can_be_followed,
    goes_from_instant_to_instant,
]
# And these are about what the page does, whatever it shows.
TESTS_OF_PAGE = [
    keys_move_and_stay_out_of_the_way, addresses_that_lead_nowhere_say_so, a_part_can_be_chosen,
    the_picture_stays_while_causes_are_told, plays_and_pauses, each_instant_is_said_once,
    plays_at_a_speed, plays_at_once_if_the_address_says_so, swipes_go_on_and_back,
    asks_what_happens_next, predicting_can_be_left,
]
