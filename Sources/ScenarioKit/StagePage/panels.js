// What stands around the picture: the screen, the sentence, and the difference from the usual run.

function showScreen() {
  const screen = byId("screen");
  const fields = screenAfter(stage.run, indexNow());
  // A reader who predicts sees neither what comes nor what would usually come.
  const compared = isBrief ? mending.right : isUsual() ? null : stage.usual;
  const usual = compared && !predict.isOn ? screenAfter(compared, compared.events.length) : null;
  const final = predict.isOn ? fields : screenAfter(stage.run, stage.run.events.length);
  byId("screen-card").hidden = isBrief && !final.size;
  screen.replaceChildren(...[...final.keys()].map((label) => {
    const field = fields.get(label);
    const differs = usual && usual.get(label)?.text !== final.get(label).text
      && field?.text === final.get(label).text;
    return make("div", { class: differs ? "field differs" : "field" },
      label ? make("h3", {}, label) : null,
      make("p", {}, field ? field.text || "(empty)" : "…"));
  }));
  if (!final.size) screen.replaceChildren(make("p", { class: "none" }, 
    predict.isOn ? "Nothing is printed yet." : "Nothing is printed."));
}

/** What a note says about the moment that it was written for. */
const notes = { moment: null, lines: [] };

/** Says something above the sentence, until the reader goes elsewhere. */
function note(lines) {
  Object.assign(notes, { moment: stage.moment, lines });
}

/** A sentence with the name of its row in bold. */
function sentenceOf(event) {
  const [row] = event.sentence.startsWith(event.lane)
    ? /^( \d+(?= ))?/.exec(event.sentence.slice(event.lane.length)) : [];
  if (row == null) return make("p", { class: "sentence" }, event.sentence);
  const name = event.lane + row;
  return make("p", { class: "sentence" }, make("b", {}, name), event.sentence.slice(name.length));
}

function showSentence({ isQuiet = false } = {}) {
  const event = eventNow();
  byId("clock").textContent = inMilliseconds(stage.moment.nanoseconds);
  byId("say").setAttribute("aria-live", isQuiet ? "off" : "polite");
  byId("say").replaceChildren(
    ...(notes.moment === stage.moment ? notes.lines : []).map((line) =>
      make("p", { class: "note" }, line)),
    event ? sentenceOf(event) : make("p", { class: "silent" }, "Nothing has happened yet."));
  byId("where").textContent = `event ${indexNow() + 1} of ${stage.run.events.length}`;
}

/** Says what differs from the usual run. */
function showDifference() {
  const list = byId("difference");
  byId("differs").hidden = isUsual() && !stage.run.problems.length;
  if (isUsual() || !stage.usual) return list.replaceChildren();
  const screens = [stage.run, stage.usual].map((run) => screenAfter(run, run.events.length));
  const [now, usual] = screens;
  const labels = [...new Set([...usual.keys(), ...now.keys()])]
    .filter((label) => now.get(label)?.text !== usual.get(label)?.text);
  const text = (screen, label) => (screen.get(label) ?? { text: "nothing" }).text || "(empty)";
  const lines = labels.map((label) => make("li", {}, `${label || "the last line"}: `,
    make("b", {}, text(now, label)), ` in the end, usually ${text(usual, label)}`));
  if (!lines.length) {
    const isSame = stage.run.outcome.join("\n") === stage.usual.outcome.join("\n");
    lines.push(make("li", {}, isSame ? "Nothing that the user sees."
      : "What comes on the way. In the end, the user sees the same."));
  }
  list.replaceChildren(...lines);
}

/** What's wrong with the code, and with the last run. */
const problems = { build: "", run: "" };

/** Shows what's wrong, and keeps the last good run visible. */
function showProblem(kind, text) {
  problems[kind] = text;
  const shown = problems.build || problems.run;
  byId("problem").hidden = !shown;
  byId("problem").textContent = shown;
  document.body.classList.toggle("stale", Boolean(shown));
}
