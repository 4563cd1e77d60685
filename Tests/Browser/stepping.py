"""Tests of all that moves through a run. Each opens the page, and raises a `Failure`."""

from run import PHONE, check, expect, moment
from selenium.webdriver.common.keys import Keys


def steps_through_events(player, run):
    """Each event has its sentence, its mark, its line of code and its line of the transcript."""
    player.open(run.address)
    for key, part in run.stepped.items():
        player.select("#part", key)
        player.unfocus()
        player.press(Keys.HOME)
        lines = 0
        for index, event in enumerate(part["events"]):
            if index > 0:
                player.press(Keys.ARROW_RIGHT)
            state = player.state
            about = f"{key} event {event['number']}"
            expect(state["hash"], f"#{key}-event-{event['number']}", "address")
            expect(state["sentences"], [event["sentence"]], about)
            check(state["where"].startswith(f"event {index + 1} of {len(part['events'])}, "),
                  f"{about}: {state['where']}")
            check(event["sentence"] in state["slider"], f"{about}: slider says {state['slider']}")
            expect(len(state["a"]["marked"]), 1, f"{about}: marks")
            check(state["a"]["marked"][0].endswith(f"e{event['number']}"), f"{about}: mark")
            expect(state["a"]["faded"], len(part["events"]) - index - 1, f"{about}: faded marks")
            expect(state["a"]["marks"], len(part["events"]), f"{about}: all marks")
            expect(state["a"]["heads"], 1, f"{about}: playheads")
            expect(state["rows"], [event["line"]], f"{about}: lines of code")
            expect(state["file"], run.file_of(event), f"{about}: file")
            expect(state["lane"], event["lane"], f"{about}: lane")
            lines += event["role"] in ("console", "request")
            expect(len(state["a"]["log"]), lines, f"{about}: lines of the transcript")
            if event["role"] in ("console", "request"):
                check(event["text"] in state["a"]["log"][-1], f"{about}: {state['a']['log'][-1]}")
        player.press(Keys.ARROW_RIGHT)
        expect(player.address_shown, f"#{key}-event-{part['events'][-1]['number']}", "at the end")


def keys_move_and_stay_out_of_the_way(player, run):
    """Home, End and arrows move. They stay with panes, lists and the browser if those need them."""
    player.open(run.address)
    key, part = run.opened
    first, last = (f"#{key}-event-{part['events'][index]['number']}" for index in (0, -1))
    player.press(Keys.END)
    expect(player.address_shown, last, "End")
    player.press(Keys.HOME)
    expect(player.address_shown, first, "Home")
    player.press(Keys.ARROW_LEFT)
    expect(player.address_shown, first, "before the first event")
    player.press(Keys.ARROW_RIGHT, control=True)
    expect(player.address_shown, first, "Ctrl and an arrow")
    player.focus("#part")
    player.press(Keys.END)
    player.unfocus()
    player.select("#part", key)
    player.focus("#source")
    player.run("document.querySelector('#source').style.width = '200px'")
    player.press(Keys.ARROW_RIGHT)
    expect(player.address_shown, first, "an arrow in a pane that scrolls")
    player.run("document.querySelector('#source').style.width = ''")
    player.unfocus()
    player.focus("#next")
    player.press(" ")
    expect(player.address_shown, f"#{key}-event-{part['events'][1]['number']}", "Space on a button")
    expect(player.state["playing"], False, "Space on a button plays")
    player.focus("#slider")
    player.press(Keys.ARROW_LEFT)
    expect(player.address_shown, first, "an arrow on the slider")


def goes_from_instant_to_instant(player, run):
    """The arrows up and down go to the first event of an instant."""
    player.open(run.address)
    for key, part in run.stepped.items():
        player.select("#part", key)
        player.unfocus()
        player.press(Keys.HOME)
        instants = {}
        for event in part["events"]:
            instants.setdefault(event["nanoseconds"], event["number"])
        numbers = list(instants.values())
        for number in numbers[1:]:
            player.press(Keys.ARROW_DOWN)
            expect(player.address_shown, f"#{key}-event-{number}", "the next instant")
        player.press(Keys.END, Keys.ARROW_DOWN)
        expect(player.address_shown, f"#{key}-event-{part['events'][-1]['number']}", "the end")
        for number in reversed(numbers[:-1]):
            player.press(Keys.ARROW_UP)
            expect(player.address_shown, f"#{key}-event-{number}", "the instant before")


def plays_at_a_speed(player, run):
    """The pause between two events gets shorter with the speed."""
    for speed, pause in (("0.5", 1800), ("1", 900), ("2", 450), ("4", 225)):
        player.open(run.address)
        # Counts, and doesn't wait.
        player.run("""
          window.pauses = [];
          const wait = window.setTimeout;
          window.setTimeout = (action, time, ...rest) => {
            window.pauses.push(time);
            return wait(action, 0, ...rest);
          };""")
        player.select("#speed", speed)
        player.click("#play")
        player.wait_until(lambda: player.run("return window.pauses").count(pause) > 1,
                          f"no pauses of {pause} ms at speed {speed}")


def plays_at_once_if_the_address_says_so(player, run):
    """`?play` starts the part that the address names, but an address of an event shows the event."""
    key, part = run.opened
    kinds = [event["kind"] for event in part["events"]]
    setup = next((index for index, kind in enumerate(kinds)
                  if kind not in ("subscription", "request")), 0)
    # It begins with the last event that only prepares the rest, and goes on from there.
    start = max(setup, 1)
    for anchor in ("", f"#{key}"):
        player.open(run.address, f"?play{anchor}")
        seen = []
        player.wait_until(lambda: seen.append(player.state["where"]) or
                          player.state["where"].startswith(f"event {start + 2} of "),
                          f"?play{anchor} doesn't go on: {player.state['where']}")
        places = [int(where.split()[1]) for where in seen if where.startswith("event ")]
        expect(min(places) >= start, True, f"?play{anchor} doesn't begin with the set-up")
        # The address names an event by now, so a reload stays there, and so does a link to it.
        expect(player.state["playing"], True, f"?play{anchor}")
    player.open(run.address, f"?play#{key}-event-{part['events'][1]['number']}")
    expect(player.state["playing"], False, "?play with an event")
    expect(player.state["sentences"], [part["events"][1]["sentence"]], "?play with an event")


def swipes_go_on_and_back(player, run):
    """A finger that goes to the left over the sentence goes to the next event."""
    key, part = run.opened
    player.open(run.address, width=390)

    def swipe(x, y):
        box = player.run("const box = document.querySelector('#current').getBoundingClientRect();"
                         "return [box.x + box.width / 2, box.y + box.height / 2]")
        for kind, points in (("touchStart", [box]), ("touchMove", [[box[0] + x, box[1] + y]]),
                             ("touchEnd", [])):
            player.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    numbers = [event["number"] for event in part["events"]]
    for x, y, index in ((-90, 5, 1), (-90, -5, 2), (90, 5, 1), (-20, 0, 1), (-60, 60, 1)):
        swipe(x, y)
        expect(player.address_shown, f"#{key}-event-{numbers[index]}", f"after {x}, {y}")


def lanes_can_be_followed(player, run):
    """Shift and arrows, the buttons and the names in the picture stay in one lane."""
    player.open(run.address)
    for key, part in run.stepped.items():
        player.select("#part", key)
        player.unfocus()
        for lane in dict.fromkeys(event["lane"] for event in part["events"]):
            events = [event for event in part["events"] if event["lane"] == lane]
            player.jump(part["events"].index(events[0]))
            for event in events[1:]:
                player.press(Keys.ARROW_RIGHT, shift=True)
                expect(player.address_shown, f"#{key}-event-{event['number']}", f"next in {lane}")
            expect(player.find("#lane-next").is_enabled(), False, f"a button at the end of {lane}")
            for event in reversed(events[:-1]):
                player.press(Keys.ARROW_LEFT, shift=True)
                expect(player.address_shown, f"#{key}-event-{event['number']}", f"back in {lane}")
    part = run.parts["part-1"]
    lane = part["events"][-1]["lane"]
    events = [event for event in part["events"] if event["lane"] == lane]
    player.select("#part", "part-1")
    player.jump(0)
    player.select("#lane", lane)
    if part["events"][0]["lane"] != lane:
        player.click("#lane-next")
    expect(player.address_shown, f"#part-1-event-{events[0]['number']}", f"the list, to {lane}")
    labels = player.run(
        "return [...document.querySelectorAll('.lane-label')].map((label) => label.textContent)")
    check(labels, "no name of a lane can be clicked")
    player.run("document.querySelector('.lane-label')"
               ".dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    check(labels[0].startswith(player.state["lane"]), f"a click on {labels[0]}")


def addresses_name_events(player, run):
    """An address opens its event, and a page can send its reader to another one."""
    for key, part in run.parts.items():
        number = part["events"][len(part["events"]) // 2]["number"]
        player.open(run.address, f"#{key}-event-{number}")
        expect(player.address_shown, f"#{key}-event-{number}", "address")
        player.press(Keys.ARROW_RIGHT)
    length = player.run("return history.length")
    player.press(Keys.HOME, *[Keys.ARROW_RIGHT] * 3)
    player.wait_until(lambda: player.run("return location.hash") == player.address_shown,
                      "the address doesn't follow")
    expect(player.run("return history.length"), length, "steps in the history")
    key, part = run.opened
    last = part["events"][-1]
    player.run("location.hash = arguments[0]", f"event-{last['number']}")
    expect(player.state["sentences"], [last["sentence"]], "an address without a part")
    expect(player.address_shown, f"#{key}-event-{last['number']}", "an address without a part")
    expect(player.state["notes"], [], "a note about an event that exists")


def addresses_that_lead_nowhere_say_so(player, run):
    """An address of an event or part that doesn't exist shows where the page begins, and a note."""
    player.open(run.address)
    key, part = list(run.parts.items())[-1]
    first = run.opened[1]["events"][0]
    for anchor, sentence, note in (
            ("event-999", first, "There's no event 999 in this part; this is the first one."),
            (f"{key}-event-999", part["events"][0],
             "There's no event 999 in this part; this is the first one."),
            ("part-999", first, "There's no part-999 on this page; this is where it begins."),
            ("quotes", first, "There's no “quotes” on this page; this is where it begins."),
            (f"{key}-event-1-vs-part-999", part["events"][0],
             "There's no part-999 on this page.")):
        player.run("location.hash = arguments[0]", anchor)
        player.wait_until(lambda: player.state["notes"] == [note],
                          f"{anchor}: {player.state['notes']}, expected {note}")
        expect(player.state["sentences"], [sentence["sentence"]], anchor)
        # A part may have one event only.
        if player.find("#next").is_enabled():
            player.press(Keys.ARROW_RIGHT)
            expect(player.state["notes"], [], f"{anchor}: the note after a step")
    if len(run.parts) > 1:
        player.open(run.address, f"#part-1-event-999-vs-{key}-event-999")
        names = player.state["a"]["name"], player.state["b"]["name"]
        expect(player.state["notes"], [f"There's no event 999 in “{name}”." for name in names],
               "notes of a comparison")


def causes_are_told_on_request(player, run):
    """The chain of causes is that of the data, and each link goes to its event."""
    player.open(run.address)
    for key, part in run.parts.items():
        events = {event["number"]: event for event in part["events"]}

        def chain(event):
            """The event, its causes, and the values that one of them is made of."""
            numbers = [event["number"]]
            while "cause" in events[numbers[-1]]:
                numbers.append(events[numbers[-1]]["cause"])
            for number in numbers:
                numbers += [value for value in events[number].get("from", [])
                            if value not in numbers]
            return [events[number] for number in sorted(numbers, reverse=True)]

        longest = max((chain(event) for event in part["events"]), key=len)
        player.select("#part", key)
        player.jump(part["events"].index(longest[0]))
        if player.state["causes"] is None:
            player.click("#because")
        sentences = [f"{event['time']} {event['sentence']}" for event in longest]
        expect(player.state["causes"], sentences, f"causes in {key}")
        lit = player.run("return [...document.querySelectorAll('.because .reason')]"
                         ".map((mark) => Number(/e(\\d+)$/.exec(mark.id)[1])).sort((a, b) => b - a)")
        expect(lit, [event["number"] for event in longest], f"what lights up in {key}")
        player.run("[...document.querySelectorAll('#causes button')].at(-1).click()")
        expect(player.address_shown, f"#{key}-event-{longest[-1]['number']}", "the first cause")
        player.jump(part["events"].index(longest[0]))
        player.focus("#causes li:nth-last-child(2) button")
        player.press(Keys.ENTER)
        expect(player.address_shown, f"#{key}-event-{longest[-1]['number']}", "Enter on a cause")
        check(player.run("return document.activeElement.matches('#causes li:first-child button')"),
              f"{key}: Enter on a cause loses the focus")


def the_picture_stays_while_causes_are_told(player, run):
    """The list stands next to the picture, and the second click puts everything back."""
    player.open(run.address)
    player.jump(len(run.opened[1]["events"]) - 1)
    place = "return document.querySelector('.picture.a svg').getBoundingClientRect().top"
    before = player.run(place)
    player.click("#because")
    expect(player.run(place), before, "the picture's place")
    faded = ("return [...document.querySelectorAll('.because g[data-x]:not(.reason)')]"
             ".every((mark) => Number(getComputedStyle(mark).opacity) < 1)")
    player.wait_until(lambda: player.run(faded), "the rest doesn't fade")
    player.click("#because")
    expect(player.run("return document.querySelectorAll('.because, .reason').length"), 0,
           "what is lit after the second click")


def asks_what_happens_next(player, run):
    """Predicting: three sentences of the run, the right one among them, and a reply to the others."""
    question = ("return [...document.querySelectorAll('#question:not([hidden]) #choices button')]"
                ".map((button) => button.textContent.slice(2))")
    # A part of a few events has no three sentences to choose from.
    part = max((key for key in run.parts if key.startswith("part-")),
               key=lambda key: len(run.parts[key]["events"]))
    events = run.parts[part]["events"]
    sentences = [event["sentence"] for event in events]
    faint = ("return [...document.querySelectorAll('.picture .later')]"
             ".every((mark) => getComputedStyle(mark).opacity === '0')")
    player.open(run.address, f"?predict#{part}")
    check(player.run(faint), "the future can be seen")
    asked, replied = 0, set()
    for _ in range(len(events)):
        now = player.state["where"]
        player.click("#next")
        choices = player.run(question)
        if not choices:
            continue
        asked += 1
        expect(player.state["where"], now, "a question goes on by itself")
        expect(len(set(choices)), 3, "different choices")
        check(all(choice in sentences for choice in choices), f"{choices} aren't of the run")
        number = int(now.split()[1])
        right = choices.index(sentences[number])
        wrong = (right + 1) % 3
        player.press(str((right if asked % 2 else wrong) + 1))
        expect(player.state["sentences"], [sentences[number]], "what comes next")
        note = player.state["notes"][0]
        if asked % 2:
            expect(note, "Right.", "the reply to the right choice")
        else:
            check(note.startswith(f"You chose: {choices[wrong]} "), note)
            check(note.endswith(" Next is:"), note)
            replied.add(note)
    check(asked > 2 and replied, f"{asked} questions, {len(replied)} replies")
    score = player.run("return document.querySelector('#score').textContent")
    expect(score, f"{(asked + 1) // 2} of {asked} right at the first try", "the score")
    # Esc shows it without an answer, and P leaves it.
    player.open(run.address, f"?predict#{part}")
    while not player.run(question):
        player.click("#next")
    number = int(player.state["where"].split()[1])
    player.press(Keys.ESCAPE)
    expect(player.state["sentences"], [sentences[number]], "Esc")
    expect(player.state["notes"], [], "a reply to Esc")
    player.press("p")
    for _ in range(3):
        player.press(Keys.ARROW_RIGHT)
        expect(player.run(question), [], "a question after P")


def code_stays_with_the_buttons_on_a_phone(player, run):
    """Three lines of code, the current one among them."""
    events = run.parts["part-1"]["events"]
    player.open(run.address, f"#part-1-event-{events[-1]['number']}", width=PHONE)
    lines = player.run("return [...document.querySelectorAll('#lines .row')].map((row) =>"
                       " [Number(row.dataset.line), row.classList.contains('on')])")
    expect(len(lines), 3, "lines of code")
    expect([line for line, is_on in lines if is_on], [events[-1]["line"]], "the marked line")
    player.open(run.address, f"#part-1-event-{events[-1]['number']}")
    check(not player.find("#lines").is_displayed(), "they are there on a desktop too")


def panels_show_what_goes_on(player, run):
    """Work on the clock, open requests and outstanding demand agree with the events."""
    player.open(run.address)
    for key, part in run.stepped.items():
        player.select("#part", key)
        open_requests, pending, left_out = set(), [], 0
        for index, event in enumerate(part["events"]):
            if event["kind"] == "request-started":
                open_requests.add(event["lane"])
            if event["kind"] in ("request-finished", "request-failed", "request-cancelled"):
                open_requests.discard(event["lane"])
            player.jump(index)
            shown = player.run("""
              const list = (title) => [...document.querySelectorAll(".now dt")]
                .find((term) => term.textContent === title).nextElementSibling;
              const rows = (title) => [...list(title).querySelectorAll("li")];
              return [rows("Requests in flight").map((row) => row.firstChild.textContent),
                rows("Waiting on the clock").map((row) => row.firstChild.textContent)];""")
            about = f"{key} event {event['number']}"
            expect(set(shown[0]), open_requests, f"{about}: requests")
            # The data has a list only if it isn't the one of the event before.
            pending = event.get("pending", pending)
            left_out = event.get("pendingLeftOut", left_out)
            dues = [work.get("due", "never") for work in pending]
            expected = dues + ([f"and {left_out} more"] if left_out else [])
            expect(shown[1], expected, f"{about}: work on the clock")


def an_ending_keeps_the_moment(player, run):
    """Another ending of a part shows its own events, at the moment where the reader was."""
    with_endings = [(key, part) for key, part in run.parts.items() if part["endings"]]
    # The first, and the last, which may be of a run with flags.
    for key, part in dict(with_endings[:1] + with_endings[-1:]).items():
        player.open(run.address)
        player.select("#part", key)
        middle = len(part["events"]) // 2
        player.jump(middle)
        now = moment(part["events"][middle])
        for index in sorted({0, len(part["endings"]) - 1}):
            ending = part["endings"][index]
            name = f"{key}-ending-{index + 1}"
            player.select("#ending", name)
            state = player.state
            past = [event for event in ending["events"] if moment(event) <= now]
            last = past[-1] if past else ending["events"][0]
            expect(state["hash"], f"#{name}-event-{last['number']}", f"{name}: address")
            expect(state["sentences"], [last["sentence"]], f"{name}: sentence")
            expect(state["a"]["marks"], len(ending["events"]), f"{name}: marks")
            check(ending["title"] in state["a"]["name"], state["a"]["name"])
            player.open(run.address + state["hash"])
            expect(player.state["sentences"], [last["sentence"]], f"{name}: by its address")
            player.select("#compare", key)
            expect(player.state["b"]["marks"], len(part["events"]), f"{name}: compared")
            player.open(run.address)
            player.select("#part", key)
            player.jump(middle)


def two_runs_share_a_playhead(player, run):
    """Comparing steps through the moments of both, and says where one of them is silent."""
    if len(run.parts) < 2:
        return
    keys = list(run.parts)
    # Runs of the same part, if there are several; else the first two parts.
    other = next((key for key in keys[1:] if key.endswith("-part-1")), keys[1])
    player.open(run.address)
    player.select("#part", keys[0])
    player.select("#compare", other)
    player.unfocus()
    player.press(Keys.HOME)
    sides = [run.parts[keys[0]], run.parts[other]]
    moments = sorted({moment(event) for part in sides for event in part["events"]})
    silent = 0
    for index, now in enumerate(moments):
        if index > 0:
            player.press(Keys.ARROW_RIGHT)
        state = player.state
        about = f"moment {index + 1} of {keys[0]} and {other}"
        for part, sentence, side in zip(sides, state["sentences"], (state["a"], state["b"])):
            event = next((event for event in part["events"] if moment(event) == now), None)
            if event:
                expect(sentence, event["sentence"], about)
            else:
                silent += 1
                check(sentence.startswith("Nothing"), f"{about}: {sentence}")
            expect(len(side["marked"]), 1 if event else 0, f"{about}: marks")
            later = [event for event in part["events"] if moment(event) > now]
            expect(side["faded"], len(later), f"{about}: faded marks")
    check(state["where"].startswith(f"moment {len(moments)} of {len(moments)}, "), state["where"])
    check(silent > 0 or len(sides[0]["events"]) == len(sides[1]["events"]), "no run is ever silent")
    player.run("location.hash = 'part-1'")
    expect(player.state["b"], None, "an address of one part ends the comparison")
    for index in (0, len(moments) // 2, -1):
        player.open(run.address)
        player.select("#part", keys[0])
        player.select("#compare", other)
        player.jump(index % len(moments))
        state = player.state
        player.open(run.address, state["hash"])
        expect(player.state, state, "the same address later")


def plays_and_pauses(player, run):
    """Space plays until the end or until it's pressed again. The page never plays by itself."""
    player.open(run.address)
    expect(player.state["playing"], False, "plays by itself")
    player.unfocus()
    player.press(" ")
    expect(player.state["playing"], True, "Space")
    first = player.address_shown
    player.wait_until(lambda: player.address_shown != first, "doesn't move while it plays")
    events = run.opened[1]["events"]
    is_same_instant = events[0]["nanoseconds"] == events[1]["nanoseconds"]
    expect(player.state["live"], "off" if is_same_instant else "polite", "announced while it plays")
    # Timers of less than 500 ms only write the address.
    player.run("const clear = window.clearTimeout;"
               "window.timers = new Map();"
               "window.setTimeout = (action, wait) => {"
               "  timers.set(1e6 + timers.size, wait); return 1e6 + timers.size - 1; };"
               "window.clearTimeout = (timer) => { timers.set(timer, 0); clear(timer); };")
    steps = "return [...timers.values()].filter((wait) => wait >= 500).length"
    player.press(" ")
    expect(player.state["playing"], False, "Space once more")
    player.press(" ")
    expect(player.run(steps), 1, "steps to come while it plays")
    player.press(" ")
    expect(player.run(steps), 0, "steps to come after a pause")
    player.press(Keys.END, " ")
    expect(player.address_shown, first, "playing from the end begins again")
    player.click("#next")
    expect(player.state["playing"], False, "a step pauses")
    expect(player.state["live"], "polite", "a step is announced")


# These compare what the page shows with the events of the run.
TESTS_OF_RUNS = [
    steps_through_events, addresses_name_events, causes_are_told_on_request,
    the_picture_stays_while_causes_are_told,
    panels_show_what_goes_on, an_ending_keeps_the_moment, two_runs_share_a_playhead,
]
# And these are about what the page does, whatever it shows.
TESTS_OF_PAGE = [
    keys_move_and_stay_out_of_the_way, lanes_can_be_followed, addresses_that_lead_nowhere_say_so,
    plays_and_pauses, asks_what_happens_next, code_stays_with_the_buttons_on_a_phone,
    goes_from_instant_to_instant, plays_at_a_speed, plays_at_once_if_the_address_says_so,
    swipes_go_on_and_back,
]
