// The pipeline's code, with the line of the current event marked.

const keywords = new Set(("as case catch class default defer do else enum extension false for " +
  "func guard if import in init let nil private public return self some static struct switch " +
  "throw throws true try var where while any final fileprivate inout").split(" "));

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

/** Where the mark is, and which file the reader chose to look at. */
const code = { file: 0, rows: [], marked: null };

function buildCode() {
  if (data.files.length === 0) {
    byId("source").replaceWith(make("p", { class: "none" },
      "The source files weren't found when this page was written, so it shows no code."));
    return;
  }
  if (data.files.length > 1) {
    byId("files").append(...data.files.map((file, index) => {
      const button = make("button", { type: "button" }, file.name);
      button.addEventListener("click", () => showFile(index));
      return button;
    }));
  }
  showFile(0);
}

function showFile(index) {
  code.file = index;
  code.rows = data.files[index].lines.map(([number, text]) =>
    make("span", { class: "row", "data-line": number },
      make("i", { class: "gutter" }, String(number)), ...highlight(text), "\n"));
  byId("source").replaceChildren(make("pre", {}, ...code.rows));
  for (const [other, button] of [...byId("files").children].entries()) {
    button.setAttribute("aria-pressed", String(other === index));
  }
  byId("code-title").textContent = data.files.length > 1 ? "Code" : data.files[index].name;
  markRow();
}

/** Marks the line of an event, and turns to its file. */
function showCode(event) {
  if (data.files.length === 0) return;
  code.marked = event && event.file != null ? event : null;
  if (code.marked && code.marked.file !== code.file) showFile(code.marked.file);
  else markRow();
}

function markRow() {
  const { marked, file } = code;
  for (const row of code.rows) {
    const isOn = marked && marked.file === file && Number(row.dataset.line) === marked.line;
    row.classList.toggle("on", Boolean(isOn));
    if (isOn) {
      row.setAttribute("aria-current", "true");
      keepInView(byId("source"), row.offsetTop, row.offsetHeight);
    } else {
      row.removeAttribute("aria-current");
    }
  }
  const index = code.rows.findIndex((row) => row.classList.contains("on"));
  const first = Math.max(0, Math.min(index - 1, code.rows.length - 3));
  byId("lines").replaceChildren(...(index < 0 ? [] : code.rows.slice(first, first + 3))
    .map((row) => row.cloneNode(true)));
}

/** Scrolls a pane, and not the page, so that something in it can be seen. */
function keepInView(pane, top, height) {
  const margin = Math.min(60, pane.clientHeight / 4);
  if (top < pane.scrollTop + margin || top + height > pane.scrollTop + pane.clientHeight - margin) {
    pane.scrollTop = top - pane.clientHeight / 2;
  }
}
