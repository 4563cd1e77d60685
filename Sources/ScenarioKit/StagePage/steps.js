// Stepping through a run by events, instants and lanes, and playing it: buttons, keys and swipes.

/** Goes to a moment, with notes about it. */
function go(moment, { lines = [], isQuiet = false } = {}) {
  if (!moment) return;
  if (predict.question) dropQuestion();
  stage.moment = { nanoseconds: moment.nanoseconds, place: moment.place };
  note(lines);
  showMoment({ isQuiet });
  writeAddress();
}

/** Goes on or back by an event. A reader who predicts is asked before a step on. */
function step(way) {
  if (way > 0 && ask()) return;
  const index = indexNow() + way;
  go(index < 0 ? beforeStart : stage.run.events[index]);
}

/** The nearest event of the present lane, before or after this moment. */
function neighbour(way) {
  const events = stage.run.events.filter((event) => event.lane === stage.lane);
  return way < 0 ? events.findLast((event) => isBefore(event, stage.moment))
    : events.find((event) => isBefore(stage.moment, event));
}

/** The first event of the next instant, or of the one before. */
function instant(way) {
  const { events } = stage.run;
  const now = stage.moment.nanoseconds;
  if (way > 0) return events.find(({ nanoseconds }) => nanoseconds > now);
  const last = events.findLast(({ nanoseconds }) => nanoseconds < now);
  return last && events.find(({ nanoseconds }) => nanoseconds === last.nanoseconds);
}

/** Follows a lane: goes to its next event, or to its first one after the last. */
function followLane(lane) {
  pause();
  stage.lane = lane;
  go(neighbour(1) ?? stage.run.events.find((event) => event.lane === lane));
}

/** The last of the events that only prepare what follows: subscriptions, and demand. */
function lastSetup() {
  const first = stage.run.events.findIndex(({ kind }) =>
    !["subscription", "request"].includes(kind));
  return stage.run.events[first - 1] ?? beforeStart;
}

const playing = { timer: null };

function pause() {
  clearTimeout(playing.timer);
  playing.timer = null;
  document.body.classList.remove("playing");
  byId("play").textContent = "▶";
  byId("play").setAttribute("aria-label", "Play");
}

/** Plays from here, but not through the subscriptions at the start, of which one sees little. */
function play() {
  const here = indexNow() >= stage.run.events.length - 1 ? beforeStart : stage.moment;
  const setup = lastSetup();
  const start = isBefore(here, setup) ? setup : here;
  if (start !== stage.moment) go(start, { isQuiet: true });
  document.body.classList.add("playing");
  byId("play").textContent = "❚❚";
  byId("play").setAttribute("aria-label", "Pause");
  const advance = () => {
    const event = stage.run.events[indexNow() + 1];
    if (!event) return pause();
    // A screen reader couldn't keep up with each event, so it hears of each instant once.
    const isQuiet = event.nanoseconds === stage.moment.nanoseconds;
    playing.timer = setTimeout(() => {
      go(event, { isQuiet });
      advance();
    }, (isQuiet ? 300 : 900) / Number(byId("speed").value));
  };
  advance();
}

function toggle() {
  if (playing.timer !== null) pause();
  // A run that plays by itself would answer its questions.
  else if (predict.isOn) step(1);
  else play();
}

/** Whether a key belongs to the element that has the focus. */
function keepsKey(target, key) {
  if (target.closest("select, dialog")) return true;
  if (target.closest("input")) return key !== " " || target.type === "checkbox";
  if (key === " " && target.closest("button, summary, a")) return true;
  if (!target.matches("[role=tabpanel], [role=region]")) return false;
  return key === "ArrowLeft" || key === "ArrowRight" ? target.scrollWidth > target.clientWidth
    : target.scrollHeight > target.clientHeight;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const keeps = event.shiftKey ? event.target.closest("select, dialog")
    : keepsKey(event.target, event.key);
  if (!keeps && press(event.key, event.shiftKey)) event.preventDefault();
}

/** Does what a key stands for. Returns whether it stands for anything. */
function press(key, withShift) {
  // Without the sentence, a step would say little.
  if (!stage.run || isBrief) return false;
  const actions = withShift
    ? { ArrowLeft: () => go(neighbour(-1)), ArrowRight: () => go(neighbour(1)) }
    : { ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": toggle,
      ArrowUp: () => go(instant(-1)), ArrowDown: () => go(instant(1)),
      Home: () => go(beforeStart), End: () => go(stage.run.events.at(-1)) };
  actions.p = actions.P = () => setPredicting(!predict.isOn);
  const choice = predict.question?.choices[Number(key) - 1];
  if (choice || predict.question && key === "Escape") {
    answer(choice);
    return true;
  }
  if (!Object.hasOwn(actions, key)) return false;
  if (key !== " ") pause();
  actions[key]();
  return true;
}

/** A swipe over the sentence or the buttons goes to the next event, or to the one before. */
function watchSwipes(element) {
  let start = null;
  element.addEventListener("touchstart", (event) => {
    const isControl = event.target.closest("input, select");
    start = event.touches.length === 1 && !isControl ? event.touches[0] : null;
  }, { passive: true });
  element.addEventListener("touchend", (event) => {
    if (!start) return;
    const x = event.changedTouches[0].clientX - start.clientX;
    const y = event.changedTouches[0].clientY - start.clientY;
    start = null;
    if (Math.abs(x) < 40 || Math.abs(x) < 2 * Math.abs(y)) return;
    pause();
    step(x < 0 ? 1 : -1);
  });
}
