// What stands next to the picture: the screen, the sentence, the code, and the difference from the
// usual run.

function showScreen() {
  const screen = byId("screen");
  const fields = screenAfter(stage.run, indexNow());
  const usual = stage.usual && !isUsual() ? screenAfter(stage.usual, stage.usual.events.length) : null;
  const final = screenAfter(stage.run, stage.run.events.length);
  screen.replaceChildren(...[...final.keys()].map((label) => {
    const field = fields.get(label);
    const differs = usual && usual.get(label)?.text !== final.get(label).text
      && field?.text === final.get(label).text;
    return make("div", { class: differs ? "field differs" : "field" },
      label ? make("h3", {}, label) : null,
      make("p", {}, field?.text ?? "…"));
  }));
  if (!final.size) screen.replaceChildren(make("p", { class: "none" }, "Nothing is printed."));
}

function showSentence() {
  const event = eventNow();
  byId("clock").textContent = inMilliseconds(stage.moment.nanoseconds);
  byId("say").replaceChildren(make("p", {}, event?.sentence ?? "Nothing has happened yet."));
  const number = indexNow() + 1;
  byId("where").textContent = `event ${number} of ${stage.run.events.length}`;
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
  const text = (screen, label) => screen.get(label)?.text ?? "nothing";
  const lines = labels.map((label) => make("li", {}, `${label || "the last line"}: `,
    make("b", {}, text(now, label)), ` in the end, usually ${text(usual, label)}`));
  if (!lines.length) {
    const isSame = stage.run.outcome.join("\n") === stage.usual.outcome.join("\n");
    lines.push(make("li", {}, isSame ? "Nothing that the user sees."
      : "What comes on the way. In the end, the user sees the same."));
  }
  list.replaceChildren(...lines);
}

const keywords = new Set(("as case catch class default defer do else enum extension false for "
  + "func guard if import in init let nil private public return self some static struct switch "
  + "throw throws true try var where while any final fileprivate inout").split(" "));

/** Colours one line of Swift. */
function highlight(text) {
  const token = /(\/\/.*)|(#*"(?:\\.|[^"\\])*"#*)|([A-Za-z_]\w*)|([^A-Za-z_"#/]+|.)/g;
  return Array.from(text.matchAll(token), ([whole, comment, string, word]) => {
    const name = comment ? "comment" : string ? "string"
      : word && keywords.has(word) ? "keyword"
      : word && /^[A-Z]/.test(word) ? "type" : null;
    return name ? make("i", { class: name }, whole) : whole;
  });
}

const code = { file: -1, rows: [] };

function showFile(index) {
  code.file = index;
  const file = stage.files[index];
  byId("code-title").textContent = file?.name ?? "Code";
  code.rows = (file?.lines ?? []).map(([number, text]) =>
    make("span", { class: "row", "data-line": number },
      make("i", { class: "gutter" }, String(number)), ...highlight(text), "\n"));
  byId("source").replaceChildren(make("pre", {}, ...code.rows));
}

function showCode() {
  const event = eventNow();
  const file = event?.file ?? 0;
  if (file !== code.file) showFile(file);
  for (const row of code.rows) {
    const isOn = Number(row.dataset.line) === event?.line;
    row.classList.toggle("on", isOn);
    if (!isOn) continue;
    const pane = byId("source");
    const [top, height] = [row.offsetTop, row.offsetHeight];
    if (top < pane.scrollTop + 40 || top + height > pane.scrollTop + pane.clientHeight - 40) {
      pane.scrollTop = top - pane.clientHeight / 2;
    }
  }
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
