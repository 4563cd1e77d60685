// Drawing, buttons and keys.

let picture = null;

/** Chooses the axis for the width of the window, and for the run. */
function chooseAxis() {
  const area = byId("stage");
  axis.isWide = area.clientWidth >= 640;
  // A run that waits for a timeout of a minute would leave no room for all else.
  const usual = Math.max(stage.usual?.end ?? stage.run.end, 1e6);
  const latest = Math.max(usual, Math.min(stage.run.end, 1.6 * usual),
    ...stage.run.things.map((thing) => Math.min(timeOf(thing) ?? 0, 1.6 * usual)));
  axis.left = axis.isWide ? 170 : 20;
  axis.width = area.clientWidth - axis.left - (axis.isWide ? 60 : 30);
  axis.longest = latest * 1.06;
  axis.margin = axis.isWide ? 54 : 26;
  axis.step = stepFor(axis.longest, axis.width);
}

function render({ rescales = false } = {}) {
  if (!stage.run) return;
  if (rescales || !axis.width) chooseAxis();
  const named = updateRows(stage.run);
  const area = byId("stage");
  const svg = draw("svg", { "aria-hidden": "true" });
  const top = trackTop + trackRows(stage.run.things).size * trackRowHeight() + 14;
  const bottom = top + rows.all.length * rowHeight() + 4;
  svg.dataset.bottom = bottom;
  const lines = drawTrack(svg);
  picture = drawRun(stage.run, named, top);
  svg.setAttribute("viewBox", `0 0 ${area.clientWidth} ${bottom + 8}`);
  svg.setAttribute("width", area.clientWidth);
  svg.setAttribute("height", bottom + 8);
  const head = draw("path", { class: "playhead" });
  svg.append(lines, draw("path", { class: "divider", d: `M0 ${top - 7}H${area.clientWidth}` }),
    picture.group, head);
  area.querySelector("svg")?.remove();
  area.prepend(svg);
  svg.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-number]");
    if (mark) go(stage.run.numbered.get(Number(mark.dataset.number)));
  });
  showMoment();
}

/** Fades the future, marks the present, and shows everything that belongs to it. */
function showMoment() {
  const present = eventNow();
  const svg = byId("stage").querySelector("svg");
  const reasons = present ? chainOf(stage.run, present) : new Set();
  const numbers = new Set([...reasons].map((event) => event.number));
  for (const mark of svg.querySelectorAll("[data-number]")) {
    const event = stage.run.numbered.get(Number(mark.dataset.number));
    mark.classList.toggle("later", isBefore(stage.moment, event));
    mark.classList.toggle("on", event === present);
    mark.classList.toggle("reason", numbers.has(event.number) && event !== present);
  }
  const x = xOf(stage.moment.nanoseconds);
  svg.querySelector(".playhead").setAttribute("d", `M${x} 20V${svg.dataset.bottom}`);
  const slider = byId("slider");
  slider.max = stage.run.events.length;
  slider.value = indexNow() + 1;
  slider.setAttribute("aria-valuetext", present?.sentence ?? "before the start");
  byId("back").disabled = indexNow() < 0;
  byId("next").disabled = indexNow() >= stage.run.events.length - 1;
  byId("reset").disabled = isUsual();
  const now = JSON.stringify(variationOf(stage));
  [...byId("endings").children].forEach((button, index) => {
    const { moves, fault = null, schedule = null } = stage.endings[index];
    button.setAttribute("aria-pressed",
      String(now === JSON.stringify({ ...variationOf(stage), moves, fault, schedule })));
  });
  showSentence();
  showScreen();
  showCode();
  showDifference();
  keepMarkInView(svg.querySelector(".mark.on"));
}

/** Scrolls the pane, or on a phone the page, so that the event that's described can be seen. */
function keepMarkInView(mark) {
  if (!mark || track.held) return;
  const box = mark.getBoundingClientRect();
  const pane = document.querySelector(".left");
  const view = pane.getBoundingClientRect();
  const isPane = pane.scrollHeight > pane.clientHeight + 1;
  const top = isPane ? view.top : 0;
  const bottom = (isPane ? view.bottom : byId("slider").closest(".bar").getBoundingClientRect().top);
  const way = box.top < top + 30 ? box.top - top - 30
    : box.bottom > bottom - 12 ? box.bottom - bottom + 12 : 0;
  if (way) (isPane ? pane : window).scrollBy(0, way);
}

function go(moment) {
  if (!moment) return;
  stage.moment = { nanoseconds: moment.nanoseconds, place: moment.place };
  showMoment();
}

function step(way) {
  const index = indexNow() + way;
  if (index < 0) return go({ nanoseconds: 0, place: 0 });
  go(stage.run.events[Math.min(index, stage.run.events.length - 1)]);
}

const player = { timer: 0 };

function pause() {
  clearTimeout(player.timer);
  player.timer = 0;
  document.body.classList.remove("playing");
  byId("play").textContent = "▶";
  byId("play").setAttribute("aria-label", "Play");
}

function play() {
  if (indexNow() >= stage.run.events.length - 1) go({ nanoseconds: 0, place: 0 });
  document.body.classList.add("playing");
  byId("play").textContent = "❚❚";
  byId("play").setAttribute("aria-label", "Pause");
  const advance = () => {
    const event = stage.run.events[indexNow() + 1];
    if (!event) return pause();
    const isNewInstant = event.nanoseconds > stage.moment.nanoseconds;
    player.timer = setTimeout(() => { go(event); advance(); }, isNewInstant ? 500 : 120);
  };
  advance();
}

/** Runs the part again with what the reader chose. */
function rerun({ rescales = false } = {}) {
  const variation = variationOf(stage);
  runs.ask(variation, ({ run, files }) => {
    if (files) stage.files = files;
    showProblem("run", "");
    show(prepared(run), { rescales, isUsual: isUsual() });
  });
  writeAddress();
  // The handle follows at once, whenever the run comes.
  if (stage.run) render();
}

function show(run, { rescales, isUsual: isUsualRun }) {
  const wasAtEnd = !stage.run || indexNow() >= stage.run.events.length - 1;
  stage.run = run;
  if (isUsualRun) stage.usual = run;
  const last = run.events.at(-1) ?? { nanoseconds: 0, place: 0 };
  if (wasAtEnd || !stage.moment) {
    stage.moment = { nanoseconds: last.nanoseconds, place: last.place };
  }
  showRemarks(run.problems);
  render({ rescales: rescales || !axis.width });
}

function showRemarks(problems) {
  byId("remarks").replaceChildren(...problems.map((text) => make("li", {}, text)));
}

/** Shows a program anew, as after a change of its code: the same part, moves and moment, if it can. */
function onHello(program) {
  stage.program = program;
  stage.part = Math.min(stage.part, program.parts.length);
  document.title = `${program.scenario}, live`;
  byId("scenario").textContent = program.scenario;
  byId("summary").textContent = program.summary;
  byId("part").replaceChildren(...program.parts.map((title, index) =>
    make("option", { value: index + 1, selected: index + 1 === stage.part }, title)));
  byId("part").parentElement.hidden = program.parts.length < 2;
  byId("flags").replaceChildren(...program.flags.map(({ name, summary }) => {
    const box = make("input", { type: "checkbox", checked: stage.flags.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) stage.flags.add(name);
      else stage.flags.delete(name);
      writeAddress();
      begin();
    });
    return make("label", { title: summary }, box, ` ${name.replaceAll("-", " ")}`);
  }));
  code.file = -1;
  stage.files = [];
  rows.key = "";
  begin();
}

/** Runs the part without moves first, for comparison, and then with them. */
function begin() {
  const usual = { ...variationOf(stage), moves: [], fault: null, schedule: null };
  runs.ask(usual, ({ run, files }) => {
    if (files) stage.files = files;
    stage.usual = prepared(run);
    showProblem("run", "");
    const known = new Set(run.things.map((thing) => thing.address));
    for (const address of [...stage.moves.keys()]) if (!known.has(address)) stage.moves.delete(address);
    if (isUsual()) show(stage.usual, { rescales: true, isUsual: true });
    else rerun({ rescales: true });
    findEndings(usual);
  });
}

/** Looks for the other endings of the part, and shows a button for each. */
async function findEndings(variation) {
  byId("endings").replaceChildren();
  const key = JSON.stringify(variation);
  stage.searched = key;
  const answer = await source.answer({ ...variation, wants: "endings" }).catch(() => null);
  if (!answer || stage.searched !== key) return;
  stage.endings = answer.endings;
  showEndings();
}

function showEndings() {
  const usual = stage.usual.outcome;
  byId("endings").replaceChildren(...stage.endings.map((ending) => {
    const differs = ending.outcome.find((line) => !usual.includes(line))
      ?? usual.find((line) => !ending.outcome.includes(line));
    const words = differs == null ? "in another order"
      : ending.outcome.includes(differs) ? differs.trim() : `not: ${differs.trim()}`;
    const button = make("button", { type: "button" }, make("b", {}, ending.title),
      make("small", {}, words));
    button.addEventListener("click", () => choose(ending));
    return button;
  }));
}

/** The address and the time of a move, such as `taps value 2 to 300ms`. */
function readMove(text) {
  const [, address, number, unit, word] = /^(.*) to (?:(\d+)(ns|us|ms|s)|(never|0))$/.exec(text) ?? [];
  if (!address) return null;
  const factor = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[unit];
  return [address, number ? number * factor : word === "0" ? 0 : null];
}

/** Puts what leads to an ending on the stage. */
function choose({ moves, fault, schedule }) {
  stage.moves = new Map(moves.map(readMove));
  Object.assign(stage, { fault: fault ?? null, schedule: schedule ?? null });
  rerun({ rescales: true });
}

function onState({ state, seconds, step, message }) {
  byId("state").textContent = {
    building: "building…", gone: "The server has ended. Start make play again, and open its address.",
    running: seconds ? `built in ${seconds} s` : "",
  }[state] ?? "";
  byId("step").textContent = step ?? "";
  document.body.classList.toggle("building", state === "building");
  if (state === "running") showProblem("build", "");
  if (state === "broken") showProblem("build", message);
  if (state === "failed") {
    source.giveUp();
    showProblem("run", message);
  }
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches("input[type=checkbox], select, textarea")) return;
  const action = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1),
    Home: () => go({ nanoseconds: 0, place: 0 }), End: () => go(stage.run.events.at(-1)),
    " ": () => (player.timer ? pause() : play()),
  }[event.key];
  if (!action || !stage.run) return;
  if (event.key === " " && event.target.matches("button")) return;
  event.preventDefault();
  if (event.key !== " ") pause();
  action();
}

/** Saves a text as a file. */
function save(name, type, text) {
  const link = make("a", {
    href: URL.createObjectURL(new Blob([text], { type })), download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function savePicture() {
  const { picture } = await source.answer({ ...variationOf(stage), wants: "picture" });
  save(`${stage.program.scenario}.svg`, "image/svg+xml", picture);
}

/** Shows the test for what's on stage, to copy. */
function showTest() {
  const text = testOf(stage);
  byId("test-text").textContent = text;
  byId("test").showModal();
}

/** Puts what the reader chose into the address. */
function writeAddress() {
  const { part, flags, moves, fault, schedule } = variationOf(stage);
  const words = new URLSearchParams();
  if (part > 1) words.set("part", part);
  flags.forEach((flag) => words.append("flag", flag));
  moves.forEach((move) => words.append("move", move));
  if (fault) words.set("fault", fault);
  if (schedule) words.set("schedule", schedule);
  clearTimeout(player.addressTimer);
  player.addressTimer = setTimeout(() => history.replaceState(null, "", "#" + words), 150);
}

function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  stage.part = Number(words.get("part") ?? 1) || 1;
  stage.flags = new Set(words.getAll("flag"));
  stage.moves = new Map(words.getAll("move").map(readMove).filter(Boolean));
  stage.fault = words.get("fault");
  stage.schedule = words.get("schedule");
}

readAddress();
const source = new LiveSource(document.body.dataset.live, { onHello, onState });
const runs = new Runs((variation) => source.answer(variation));

byId("part").addEventListener("change", () => {
  pause();
  Object.assign(stage, { part: Number(byId("part").value), fault: null, schedule: null });
  stage.moves.clear();
  writeAddress();
  begin();
});
byId("back").addEventListener("click", () => { pause(); step(-1); });
byId("next").addEventListener("click", () => { pause(); step(1); });
byId("play").addEventListener("click", () => (player.timer ? pause() : play()));
byId("reset").addEventListener("click", () => {
  Object.assign(stage, { fault: null, schedule: null });
  stage.moves.clear();
  rerun({ rescales: true });
});
byId("save").addEventListener("click", savePicture);
byId("as-test").addEventListener("click", showTest);
byId("copy-test").addEventListener("click", () =>
  navigator.clipboard.writeText(byId("test-text").textContent)
    .then(() => { byId("copy-test").textContent = "Copied"; }));
byId("slider").addEventListener("input", () => {
  pause();
  const index = Number(byId("slider").value) - 1;
  go(index < 0 ? { nanoseconds: 0, place: 0 } : stage.run.events[index]);
});
addEventListener("keydown", onKey);
watchPointer(byId("stage"));
new ResizeObserver(() => render({ rescales: true })).observe(byId("stage"));
