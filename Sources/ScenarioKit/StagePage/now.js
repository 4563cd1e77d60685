// What's going on after the present event, and the transcript up to it.

/** A heading and a list, or a word that says that there is nothing. */
const entry = (title, items, none) => [
  make("dt", {}, title),
  make("dd", {}, items.length ? make("ul", {}, ...items) : make("span", { class: "none" }, none)),
];

const more = (count) =>
  count > 0 ? [make("li", {}, make("small", {}, `and ${count} more`))] : [];

/** An item of a list: its name, what it's about, and a remark. */
const item = (name, words, remark = "") => make("li", {}, make("code", {}, name),
  make("span", {}, words), make("small", {}, remark));

/** Work that waits on the clock. */
function pendingItem({ label, due, since }) {
  const name = label?.startsWith("at ") ? "a step of the script"
    : label ? `${label} goes on` : "a timer of the pipeline";
  const wait = due == null ? "never due"
    : due > stage.moment.nanoseconds ? `in ${inMilliseconds(due - stage.moment.nanoseconds)}`
      : "due now";
  return item(inMilliseconds(due), name,
    wait + (label || since == null ? "" : `, set at event ${since}`));
}

const threadName = (thread) => thread === "world" ? "the world's thread"
  : thread === "main" ? "the main queue" : `the queue ${thread}`;

function showNow() {
  const { events, hasStates } = stage.run;
  if (events.length && !hasStates) {
    byId("now").replaceChildren(make("p", { class: "none" },
      "This page has it for the usual times only. With make play, each run has it."));
    return;
  }
  const now = eventNow() ?? nothing;
  const waiting = [...now.pending.map(pendingItem), ...more(now.pendingLeftOut)];
  const kept = [...now.kept.map(({ keeper, values }) => item(keeper, values.join(", "))),
    ...more(now.keptLeftOut)];
  const open = now.requests.map(({ lane, name, progress, bytes, since }) =>
    item(lane, name,
      `${progress}${bytes ? `, ${bytes} bytes` : ""}, since ${inMilliseconds(since)}`));
  const asked = now.demands.map(({ lane, rest, delivered }) =>
    item(lane, rest, `${delivered} delivered`));
  byId("now").replaceChildren(make("dl", {},
    ...entry("Running on",
      now.thread ? [make("li", {}, threadName(now.thread))] : [], "not recorded"),
    ...entry("Waiting on the clock", waiting, "nothing"),
    ...(events.some((event) => event.kept.length) ? entry("Values kept by operators", kept, "none")
      : []),
    ...entry("Requests in flight", open, "none"),
    ...(events.some((event) => event.demands.length) ? entry("Values asked for", asked, "none")
      : [])));
}

/** Whether the transcript has a line for an event. */
const isInTranscript = ({ role }) => role === "console" || role === "request";

function showTranscript() {
  const all = stage.run.events.filter(isInTranscript);
  const width = (texts) => Math.max(0, ...texts.map((text) => text.length));
  const timeWidth = width(all.map(({ time }) => time));
  const laneWidth = width(all.map(({ lane }) => lane));
  const past = all.filter((event) => !isBefore(stage.moment, event));
  const pane = byId("transcript");
  pane.replaceChildren(past.length ? make("ol", {}, ...past.map((event) => {
    const line = make("li", { class: event === eventNow() && "on" },
      `${event.time.padStart(timeWidth)}  ${event.lane.padEnd(laneWidth)}  ${event.text}`);
    line.addEventListener("click", () => go(event));
    return line;
  })) : make("p", { class: "none" }, "Nothing is printed or requested yet."));
  pane.scrollTop = pane.scrollHeight;
}
