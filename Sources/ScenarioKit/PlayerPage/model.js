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

/** All parts of all runs, in the order of the menus. */
const parts = data.runs.flatMap((run, runIndex) => run.parts.map((part, partIndex) => ({
  ...part, run: runIndex, index: partIndex,
  key: (run.name ? run.name + "-" : "") + "part-" + (partIndex + 1),
  prefix: "r" + runIndex + "p" + partIndex,
  title: part.title || data.scenario,
  name: (run.flags ? run.flags + ": " : "") + (part.title || data.scenario),
})));
const partNamed = (key) => parts.find((part) => part.key === key);

// A moment is the time of an event and its place within that instant.
const before = (a, b) =>
  a.nanoseconds < b.nanoseconds || (a.nanoseconds === b.nanoseconds && a.place < b.place);
const same = (a, b) => !before(a, b) && !before(b, a);

/** What is shown: one part or two, and a moment. */
const shown = { a: parts[0], b: null, moment: { nanoseconds: 0, place: 1 }, lane: null };
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

/** The requests that are open and the demand that isn't served, after an event. */
function stateAfter(part, index) {
  const requests = new Map();
  const demand = new Map();
  for (const event of part.events.slice(0, index + 1)) {
    const lane = event.role === "request" ? event.lane : rowOf(event);
    const request = requests.get(lane);
    const asked = demand.get(lane);
    switch (event.kind) {
      case "request-started":
        requests.set(lane, { name: event.text, since: event.time, now: "sent", bytes: 0 });
        break;
      case "request-waiting": if (request) request.now = "waits for connectivity"; break;
      case "request-sent": if (request) request.now = "sent"; break;
      case "response": if (request) request.now = event.text; break;
      case "chunk": if (request) request.bytes += event.bytes; break;
      case "request-finished": case "request-failed": case "request-cancelled":
        requests.delete(lane);
        break;
      case "subscription": demand.set(lane, { asked: 0, delivered: 0 }); break;
      case "request":
        if (asked) asked.asked = event.demand < 0 ? Infinity : asked.asked + event.demand;
        break;
      case "value": if (asked) asked.delivered += 1; break;
      case "finished": case "failure": case "cancelled": demand.delete(lane); break;
    }
  }
  return { requests, demand };
}

/**
 * The events that led to an event, and the values that any of these is made of, from itself to the
 * first one.
 */
function chain(part, event) {
  const numbered = (number) => part.events.find((other) => other.number === number);
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
