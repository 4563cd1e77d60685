// What mends a run: the program without its flags, which is as it should be.

const mending = { asked: "", timer: 0, flags: null, right: null };

const lanesOf = (run) => new Set(run.events.map((event) => event.lane));

/** What a flag exchanges, such as `flatMap` for `switchToLatest`; `null` if that isn't one lane. */
function exchanged(run, right) {
  const [now, then] = [lanesOf(run), lanesOf(right)];
  const [removed, added] = [[...now].filter((lane) => !then.has(lane)),
    [...then].filter((lane) => !now.has(lane))];
  return removed.length === 1 && added.length === 1 ? [removed[0], added[0]] : null;
}

const lastScreen = (run) =>
  [...screenAfter(run, run.events.length)].map(([label, { text }]) => `${label}: ${text}`);

/** Looks whether the program without its flags shows the user something else, and then offers it. */
function offerToMend() {
  const variation = variationOf(stage);
  const asked = JSON.stringify(variation);
  if (asked === mending.asked) return;
  mending.asked = asked;
  clearTimeout(mending.timer);
  if (!stage.flags.size) return showMending(mending.flags ? stage.run : null);
  mending.flags = null;
  // A live program is busy with the runs that a reader drags.
  mending.timer = setTimeout(async () => {
    const answer = await source.answer({ ...variation, flags: [] }).catch(() => null);
    if (asked === mending.asked) showMending(answer && prepared(answer.run));
  }, source.isLive ? 300 : 0);
}

function showMending(right) {
  const box = byId("mend");
  mending.right = right;
  const isMended = mending.flags != null;
  const hadFocus = box.contains(document.activeElement);
  const isWrong = right && !isMended && String(lastScreen(right)) !== String(lastScreen(stage.run));
  box.hidden = !isWrong && !isMended;
  showScreen();
  if (box.hidden) return box.replaceChildren();
  const flags = mending.flags ?? [...stage.flags];
  const lanes = isMended ? mending.lanes : exchanged(stage.run, right);
  const [bad, good] = lanes ?? [`with ${flags.join(", ")}`, `without ${flags.join(", ")}`];
  const button = make("button", { type: "button" }, isMended ? `Back to ${bad}` : `${bad} → ${good}`);
  button.addEventListener("click", () => {
    Object.assign(mending, isMended ? { flags: null } : { flags, lanes, screen: lastLabelled(right) });
    stage.flags = new Set(isMended ? flags : []);
    writeAddress();
    begin();
  });
  const isRight = isMended && lastLabelled(stage.run) === mending.screen;
  box.replaceChildren(make("span", {}, isRight ? "Now it's right. Drag it again."
    : isMended ? `This is ${good}.` : `The user should see: ${lastLabelled(right)}`), button);
  // The button that had the focus is gone.
  if (hadFocus) button.focus();
}

/** The text of a run's last label, for a sentence. */
const lastLabelled = (run) =>
  [...screenAfter(run, run.events.length)].filter(([label]) => label).at(-1)?.[1].text
    ?? "something else";
