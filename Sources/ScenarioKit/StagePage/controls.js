// Runs, and the buttons around them.

/** Fades the future, marks the present, and shows everything that belongs to it. */
function showMoment({ isQuiet = false } = {}) {
  const present = eventNow();
  stage.lane = present?.lane ?? stage.lane;
  const reasons = chainOf(stage.run, present);
  const numbers = new Set([...reasons].map((event) => event.number));
  for (const mark of byId("picture").querySelectorAll("[data-number]")) {
    const event = stage.run.numbered.get(Number(mark.dataset.number));
    mark.classList.toggle("later", isBefore(stage.moment, event));
    mark.classList.toggle("on", event === present);
    mark.classList.toggle("reason", numbers.has(event.number) && event !== present);
  }
  for (const head of byId("stage").querySelectorAll(".playhead")) {
    head.setAttribute("d", `M${xOfMoment()} 0V${head.dataset.height}`);
  }
  const slider = byId("slider");
  slider.max = stage.run.events.length;
  slider.value = indexNow() + 1;
  byId("back").disabled = indexNow() < 0;
  byId("next").disabled = indexNow() >= stage.run.events.length - 1;
  byId("reset").disabled = isUsual();
  markEnding();
  showSentence({ isQuiet });
  slider.setAttribute("aria-valuetext",
    `${present?.sentence ?? "Before the start."} ${byId("where").textContent}`);
  showScreen();
  showTab();
  showCauses(reasons);
  showDifference();
  hideFuture();
  keepMarkInView(byId("picture").querySelector(".mark.on"));
}

/** Runs the part again with what the reader chose. */
function rerun({ rescales = false, forgets = false, remark = null } = {}) {
  // What can't be shown isn't left on the stage, or a test of it would pin another run.
  const refusal = source.refusal?.(variationOf(stage)) ?? null;
  if (refusal) {
    stage.moves.clear();
    Object.assign(stage, { fault: null, schedule: null });
  }
  const variation = variationOf(stage);
  runs.ask(variation, ({ run, files }) => {
    if (files) stage.files = files;
    run.problems = [...run.problems, refusal, remark].filter(Boolean);
    showProblem("run", "");
    if (forgets) forgetMoves(run);
    show(prepared(run), { rescales, isUsual: isUsual() });
  });
  writeAddress();
  // The handle follows at once, whenever the run comes.
  if (stage.run) render();
}

/** Forgets the moves of things that aren't there any more. The run's problems name them. */
function forgetMoves(run) {
  const known = new Set(run.things.map(({ address }) => address));
  for (const address of stage.moves.keys()) if (!known.has(address)) stage.moves.delete(address);
}

/** The moment after the last event of a run. */
const endOf = ({ events }) => ({ ...beforeStart, ...events.at(-1) });

function show(run, { rescales, isUsual: isUsualRun }) {
  const wasAtEnd = !stage.run || indexNow() >= stage.run.events.length - 1;
  stage.run = run;
  if (isUsualRun) stage.usual = run;
  if (predict.question) dropQuestion();
  if (wasAtEnd) stage.moment = endOf(run);
  showRemarks(run.problems);
  render({ rescales: rescales || !axis.right });
  offerToMend();
  if (stage.wanted) goToWanted();
  else writeAddress();
  if (arrival.address != null) arrive();
}

/** Shows the first line of each problem. The rest lists what can be moved, and that has handles. */
function showRemarks(problems) {
  byId("remarks").replaceChildren(...problems.map((text) =>
    make("li", {}, text.split("\n")[0].replace(/(\.) [^.]*:$/, "$1"))));
}

/** Shows a program, also once more after a change of its code: with the same part and moves. */
function onHello(program) {
  stage.program = { opening: { part: 1, flags: [] }, ...program };
  stage.part = Math.min(stage.part, program.parts.length);
  if (arrival.address != null) readAddress(arrival.address);
  if (source.isLive) document.title = `${program.scenario}, live`;
  for (const id of ["save", "adding"]) byId(id).hidden = !source.isLive;
  byId("scenario").textContent = program.scenario;
  byId("summary").textContent = program.summary;
  byId("part").replaceChildren(...program.parts.map((title, index) =>
    title == null ? "" : make("option", { value: index + 1 }, title)));
  byId("part").parentElement.hidden = byId("part").options.length < 2;
  byId("flags").replaceChildren(...program.flags.map(({ name, summary }) => {
    const box = make("input", { type: "checkbox", name });
    box.addEventListener("change", () => {
      if (box.checked) stage.flags.add(name);
      else stage.flags.delete(name);
      writeAddress();
      begin();
    });
    return make("label", { title: summary }, box, ` ${name.replaceAll("-", " ")}`);
  }));
  stage.files = [];
  rows.key = "";
  begin();
}

/** Runs the part without moves first, for comparison, and then with them. */
function begin() {
  byId("part").value = stage.part;
  for (const box of byId("flags").querySelectorAll("input")) {
    box.checked = stage.flags.has(box.name);
  }
  const usual = { ...variationOf(stage), moves: [], fault: null, schedule: null };
  runs.ask(usual, ({ run, files }) => {
    if (files) stage.files = files;
    stage.usual = prepared(run);
    showProblem("run", "");
    // An address may name a time that a thing has anyway.
    for (const [address, time] of usualTimes()) {
      if (stage.moves.get(address) === time) stage.moves.delete(address);
    }
    if (isUsual()) {
      show(stage.usual, { rescales: true, isUsual: true });
    } else {
      // What was moved may not run.
      if (!stage.run) Object.assign(stage, { run: stage.usual, moment: endOf(stage.usual) });
      rerun({ rescales: true, forgets: true });
    }
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
  if (!stage.program.parts.length && state === "building") {
    byId("summary").textContent = "Building your code. The first time, this takes a minute or two.";
  }
  document.body.classList.toggle("building", state === "building");
  if (state === "running") showProblem("build", "");
  if (state === "broken") showProblem("build", message);
  if (state === "failed") {
    source.giveUp();
    showProblem("run", message);
  }
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

const source = byId("runs").textContent ? new TableSource(byId("runs"), { onHello })
  : new LiveSource(document.body.dataset.live, { onHello, onState });
const runs = new Runs((variation) => source.answer(variation));

byId("part").addEventListener("change", () => {
  pause();
  Object.assign(stage, { part: Number(byId("part").value), fault: null, schedule: null });
  stage.moves.clear();
  stage.wanted = { event: null, missing: [] };
  writeAddress();
  begin();
});
const onClick = (id, action) => byId(id).addEventListener("click", () => stage.run && action());
onClick("back", () => { pause(); step(-1); });
onClick("next", () => { pause(); step(1); });
onClick("play", toggle);
onClick("because", toggleCauses);
onClick("predict", () => { pause(); setPredicting(!predict.isOn); });
onClick("reset", () => {
  Object.assign(stage, { fault: null, schedule: null });
  stage.moves.clear();
  rerun({ rescales: true });
});
onClick("save", savePicture);
onClick("as-test", showTest);
byId("copy-test").addEventListener("click", () =>
  navigator.clipboard.writeText(byId("test-text").textContent)
    .then(() => { byId("copy-test").textContent = "Copied"; }));
byId("slider").addEventListener("input", () => {
  pause();
  const index = Number(byId("slider").value) - 1;
  go(stage.run.events[index] ?? beforeStart);
});
addEventListener("keydown", onKey);
byId("picture").addEventListener("click", (event) => {
  const mark = event.target.closest("[data-number]");
  if (mark) go(stage.run.numbered.get(Number(mark.dataset.number)));
  const lane = event.target.closest("[data-lane]");
  if (lane) followLane(lane.dataset.lane);
});
byId("tabs").addEventListener("keydown", onTabKey);
watchSwipes(document.querySelector(".current"));
watchSwipes(document.querySelector(".controls"));
watchSurroundings();
watchPointer(byId("stage"));
new ResizeObserver(() => render({ rescales: true })).observe(byId("stage"));
