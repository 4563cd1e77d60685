// The panels: what is going on now, the transcript so far, and the causes of an event.

/** A heading and a list, or a word that says that there is nothing. */
const entry = (title, items, none) => [
  make("dt", {}, title),
  make("dd", {}, items.length > 0 ? make("ul", { class: "work" }, ...items)
    : make("span", { class: "none" }, none)),
];

const milliseconds = (nanoseconds) => String(nanoseconds / 1e6) + " ms";

/** Work that waits on the clock, at a time in nanoseconds. */
function pendingItem(work, now) {
  const isStep = work.label?.startsWith("at ");
  const name = isStep ? "a step of the script"
    : work.label ? work.label + " goes on" : "a timer of the pipeline";
  const wait = work.due == null ? "never due"
    : work.nanoseconds > now ? "in " + milliseconds(work.nanoseconds - now) : "due now";
  return make("li", {}, make("time", {}, work.due ?? "never"), make("span", {}, name),
    make("small", {}, wait + (work.label || work.since == null ? "" : ", set at event " + work.since)));
}

/** Shows what is going on after a part's last event up to now. */
function showNow(part, side) {
  const event = lastEvent(part)
    ?? { pending: [], pendingLeftOut: 0, kept: [], keptLeftOut: 0, requests: [], demands: [] };
  const more = (count) =>
    count > 0 ? [make("li", {}, make("small", {}, "and " + count + " more"))] : [];
  const waiting = event.pending.map((work) => pendingItem(work, shown.moment.nanoseconds));
  waiting.push(...more(event.pendingLeftOut));
  const kept = event.kept.map(({ keeper, values }) =>
    make("li", {}, make("code", {}, keeper), make("span", {}, values.join(", "))));
  kept.push(...more(event.keptLeftOut));
  const open = event.requests.map((request) =>
    make("li", {}, make("code", {}, request.lane), make("span", {}, request.name),
      make("small", {}, request.progress + (request.bytes ? ", " + request.bytes + " bytes" : "")
        + ", since " + request.since)));
  const asked = event.demands.map(({ lane, rest, delivered }) =>
    make("li", {}, make("code", {}, lane), make("span", {}, rest),
      make("small", {}, delivered + " delivered")));
  const hasLanes = part.events.some((event) => event.kind === "subscription");
  side.now.replaceChildren(
    ...entry("Running on", event.thread
      ? [make("li", {}, make("span", {}, threadName(event.thread)))] : [], "not recorded"),
    ...entry("Waiting on the clock", waiting, "nothing"),
    ...(part.events.some((event) => event.kept.length > 0)
      ? entry("Values kept by operators", kept, "none") : []),
    ...entry("Requests in flight", open, "none"),
    ...(hasLanes ? entry("Values asked for", asked, "none") : []));
}

const threadName = (thread) => thread === "world" ? "the world's thread"
  : thread === "main" ? "the main queue" : "the queue " + thread;

/** Writes the transcript up to now. */
function showLog(part, side) {
  const lines = part.events.slice(0, indexNow(part) + 1).filter(isInTranscript);
  const timeWidth = Math.max(0, ...part.events.map((event) => event.time.length));
  const laneWidth = Math.max(0, ...part.events.filter(isInTranscript)
    .map((event) => event.lane.length));
  side.log.replaceChildren(...lines.map((event) => {
    const line = make("li", { class: same(event, shown.moment) && "on" },
      event.time.padStart(timeWidth) + "  " + event.lane.padEnd(laneWidth) + "  " + event.text
        + (data.showsThreads && event.thread ? "  [" + event.thread + "]" : ""));
    line.addEventListener("click", () => go(event));
    return line;
  }));
  side.log.parentElement.scrollTop = side.log.parentElement.scrollHeight;
}

/** Writes the chain of causes of the current event, if the reader asked for it. */
function showCauses() {
  const list = byId("causes");
  const part = sides().find(eventNow);
  const event = part && eventNow(part);
  byId("because").disabled = !event;
  list.hidden = byId("because").getAttribute("aria-expanded") !== "true" || !event;
  const events = list.hidden ? [] : chain(part, event);
  shown.reasons = { part, events };
  lightReasons();
  if (list.hidden) return;
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(...events.map((cause, index) => {
    const button = make("button", { type: "button" }, make("time", {}, cause.time), " ",
      cause.sentence);
    button.addEventListener("click", () => go(cause));
    return make("li", {}, button);
  }), make("li", {}, make("span", { class: "end" },
    "The program's own code did this, in the part or at a time of its script.")));
  // The button that had the focus is gone.
  if (hadFocus) list.querySelector("button").focus();
}

/** The name of an event's row: its lane, with a number if the lane has several rows. */
function rowOf(event) {
  const rest = event.sentence.startsWith(event.lane) && event.sentence.slice(event.lane.length);
  const number = rest && /^ \d+(?= )/.exec(rest);
  return event.lane + (number ? number[0] : "");
}

/** A sentence with the name of its row in bold. */
function sentence(event) {
  const row = rowOf(event);
  return event.sentence.startsWith(row)
    ? make("p", { class: "sentence" }, make("b", {}, row), event.sentence.slice(row.length))
    : make("p", { class: "sentence" }, event.sentence);
}

/** What a screen reader says about a moment, and what stands on the page. */
function showSentence({ isQuiet, notes }) {
  const say = byId("say");
  say.setAttribute("aria-live", isQuiet ? "off" : "polite");
  const lines = notes.map((note) => make("span", { class: "note" }, note));
  for (const part of sides()) {
    const event = eventNow(part);
    if (shown.b) lines.push(make("span", { class: "which" }, part.name));
    if (event) lines.push(sentence(event));
    else lines.push(make("p", { class: "silent" },
      lastEvent(part) ? "Nothing happens here at this moment." : "Nothing has happened here yet."));
  }
  lines.push(make("small", {}, where()));
  say.replaceChildren(...lines);
  byId("clock").textContent = milliseconds(shown.moment.nanoseconds);
}

/** The number of the current event and its time, in words. */
function where() {
  const all = moments();
  const event = sides().map(eventNow).find(Boolean);
  const line = event && event.file != null
    ? ", " + data.files[event.file].name + " line " + event.line : "";
  return (shown.b ? "moment " : "event ") + (position() + 1) + " of " + all.length + ", "
    + milliseconds(shown.moment.nanoseconds) + line;
}
