// The events of a run, and what is true after each of them.

const data = JSON.parse(document.getElementById("run").textContent);
const byId = (id) => document.getElementById(id);

/** Makes an element. Texts become text, so nothing in a run can become markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Writes out what's going on after each event: it isn't in the data if it's as after the one before. */
function fillStates(part) {
  const fields = ["pending", "pendingLeftOut", "kept", "keptLeftOut", "requests", "demands"];
  part.events.forEach((event, index) => {
    for (const field of fields) event[field] ??= part.events[index - 1]?.[field];
  });
  part.endings.forEach(fillStates);
}
data.runs.forEach((run) => run.parts.forEach(fillStates));

/** All parts of all runs, in the order of the menus. */
const parts = data.runs.flatMap((run, runIndex) => run.parts.map((part, partIndex) => {
  const shownPart = {
    ...part,
    key: (run.name ? run.name + "-" : "") + "part-" + (partIndex + 1),
    prefix: "r" + runIndex + "p" + partIndex,
    name: (run.flags ? run.flags + ": " : "") + (part.title || data.scenario),
  };
  // What else the part can lead to: parts of their own, that aren't in the menu of parts.
  shownPart.endings = part.endings.map((ending, index) => ({
    ...ending,
    usual: shownPart,
    key: shownPart.key + "-ending-" + (index + 1),
    prefix: shownPart.prefix + "o" + index,
    name: shownPart.name + " (" + ending.title + ")",
  }));
  return shownPart;
}));

/** A part as it usually runs. */
const usualOf = (part) => part.usual ?? part;

const partNamed = (key) => parts.flatMap((part) => [part, ...part.endings])
  .find((part) => part.key === key);

// A moment is the time of an event and its place within that instant.
const before = (a, b) =>
  a.nanoseconds < b.nanoseconds || (a.nanoseconds === b.nanoseconds && a.place < b.place);
const same = (a, b) => !before(a, b) && !before(b, a);

/** The part that the page opens on. */
const opening = parts[data.opening];

/** What is shown: one part or two, and a moment. */
const shown = { a: opening, b: null, moment: { nanoseconds: 0, place: 1 }, lane: null };
const sides = () => (shown.b ? [shown.a, shown.b] : [shown.a]);

/** The moments to step through: those of both parts. */
function moments() {
  const all = sides().flatMap((part) => part.events).sort((a, b) => (before(a, b) ? -1 : 1));
  return all.filter((event, index) => index === 0 || !same(event, all[index - 1]));
}

/** The place of the current moment among all moments. */
function position() {
  return Math.max(0, moments().findLastIndex((other) => !before(shown.moment, other)));
}

/** The index of a part's last event up to now, or -1. */
const indexNow = (part) => part.events.findLastIndex((event) => !before(shown.moment, event));

/** The event of a part at this very moment, if it has one. */
const eventNow = (part) => part.events.find((event) => same(event, shown.moment));

/** The last event of a part up to now, if there is one. */
const lastEvent = (part) => part.events[indexNow(part)];

/** The event of a part that has a number. */
const eventNumbered = (part, number) => part.events.find((event) => event.number === number);

/**
 * The events that led to an event, and the values that any of these is made of, from itself to the
 * first one.
 */
function chain(part, event) {
  const numbered = (number) => eventNumbered(part, number);
  const events = new Set();
  for (let next = event; next && !events.has(next); next = numbered(next.cause)) events.add(next);
  // A set's loop also comes to what is added meanwhile.
  for (const value of events) {
    for (const number of value.from ?? []) events.add(numbered(number));
  }
  return [...events].sort((one, other) => other.number - one.number);
}

/** Whether a transcript has a line for an event. */
const isInTranscript = (event) => event.role === "console" || event.role === "request";
