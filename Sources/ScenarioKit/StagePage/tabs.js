// The tabs next to the picture: the source files, what's going on, and the transcript so far.

const tabs = { chosen: "source", files: null };

/** The tabs by their names, each with its pane, and with its file if it has one. */
const allTabs = () => [
  ...stage.files.map(({ name }, file) => ({ name, pane: "source", file })),
  ...(stage.files.length ? [] : [{ name: "Code", pane: "source", file: 0 }]),
  { name: "Now", pane: "now" }, { name: "Transcript", pane: "transcript" },
];

/** Shows the chosen tab at the present moment. */
function showTab() {
  turnToFile();
  if (tabs.files !== stage.files) buildTabs();
  allTabs().forEach(({ name, pane, file }, index) => {
    const button = byId("tabs").children[index];
    const isChosen = pane === tabs.chosen && (file == null || file === code.file);
    button.setAttribute("aria-selected", String(isChosen));
    button.tabIndex = isChosen ? 0 : -1;
    byId(pane).hidden = pane !== tabs.chosen;
    if (isChosen) byId(pane).setAttribute("aria-label", name);
  });
  ({ source: showCode, now: showNow, transcript: showTranscript })[tabs.chosen]();
}

function buildTabs() {
  tabs.files = stage.files;
  if (!stage.files[code.file]) code.file = 0;
  byId("tabs").replaceChildren(...allTabs().map(({ name, pane, file }) => {
    const button = make("button", { type: "button", role: "tab", "aria-controls": pane }, name);
    button.addEventListener("click", () => {
      tabs.chosen = pane;
      if (file != null) code.file = file;
      showTab();
    });
    return button;
  }));
}

/** The arrow keys go from tab to tab. */
function onTabKey(event) {
  const all = [...byId("tabs").children];
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const next = all[(all.indexOf(event.target) + way + all.length) % all.length];
  if (!next) return;
  event.preventDefault();
  next.click();
  next.focus();
}
