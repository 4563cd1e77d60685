// The code, with the line of the present event marked.

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

/** The file that's shown, its rows, and the place that it was turned to last. */
const code = { file: 0, rows: [], drawn: null, place: null };

/** Turns to the file of the present event, unless the reader looks at another one meanwhile. */
function turnToFile() {
  const event = eventNow();
  const place = `${event?.file}:${event?.line}`;
  if (event?.file != null && place !== code.place) code.file = event.file;
  code.place = place;
}

function drawFile() {
  code.drawn = stage.files[code.file];
  code.rows = (code.drawn?.lines ?? []).map(([number, text]) =>
    make("span", { class: "row", "data-line": number },
      make("i", { class: "gutter" }, String(number)), ...highlight(text), "\n"));
  byId("source").replaceChildren(code.rows.length ? make("pre", {}, ...code.rows)
    : make("p", { class: "none" }, "The source files aren't here, so there's no code to show."));
}

function showCode() {
  if (code.drawn !== stage.files[code.file] || !byId("source").firstChild) drawFile();
  const event = eventNow();
  for (const row of code.rows) {
    const isOn = event?.file === code.file && Number(row.dataset.line) === event.line;
    row.classList.toggle("on", isOn);
    if (isOn) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    if (!isOn) continue;
    const pane = byId("source");
    const [top, height] = [row.offsetTop, row.offsetHeight];
    if (top < pane.scrollTop + 40 || top + height > pane.scrollTop + pane.clientHeight - 40) {
      pane.scrollTop = top - pane.clientHeight / 2;
    }
  }
}
