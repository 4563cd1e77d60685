// Buttons, keys, menus and addresses.

/** Goes to a moment, and shows everything about it. */
function go(moment, { isQuiet = false, notes = [] } = {}) {
  if (!moment) return;
  // Whoever goes elsewhere doesn't answer any more.
  if (predict.question) setPredicting(predict.isOn);
  shown.moment = { nanoseconds: moment.nanoseconds, place: moment.place };
  render({ isQuiet, notes });
  writeAddress();
}

/**
 * Puts this moment into the address, and leaves the history alone, so that Back leaves the page.
 * Browsers refuse more than about 20 changes a second, which a key that's held down would make.
 */
function writeAddress() {
  const text = "#" + address();
  byId("link").href = byId("link").textContent = text;
  clearTimeout(player.addressTimer);
  player.addressTimer = setTimeout(() => history.replaceState(null, "", text), 80);
}

function render({ isQuiet = false, notes = [] } = {}) {
  const current = sides().map(eventNow).find(Boolean);
  showSentence({ isQuiet, notes });
  showCode(current);
  for (const [name, part] of [["a", shown.a], ["b", shown.b]]) {
    const side = sideElements[name];
    for (const card of side.cards) card.hidden = !part;
    side.part = part;
    side.last = null;
    if (!part) continue;
    namePanes(part, side);
    showNow(part, side);
    showLog(part, side);
  }
  if (current) shown.lane = current.lane;
  showCauses();
  showControls();
  // All else has its size now, so there's no more to come that could push the mark out of view.
  drawPictures({ isNewMoment: true });
}

function showControls() {
  const all = moments();
  const index = position();
  const slider = byId("slider");
  slider.max = Math.max(0, all.length - 1);
  slider.value = index;
  const sentences = sides().map(eventNow).filter(Boolean).map((event) => event.sentence);
  slider.setAttribute("aria-valuetext", [...sentences, where()].join(" "));
  byId("first").disabled = byId("back").disabled = index === 0;
  byId("last").disabled = byId("next").disabled = index >= all.length - 1;
  byId("lane-back").disabled = !neighbour(-1);
  byId("lane-next").disabled = !neighbour(1);
  byId("lane").value = shown.lane ?? "";
  byId("part").value = usualOf(shown.a).key;
  byId("ending").value = shown.a.key;
  byId("compare").value = shown.b ? shown.b.key : "";
}

/** Goes on or back. A reader who predicts is asked before a step on. */
function step(distance) {
  if (distance === 1 && ask()) return;
  go(moments()[position() + distance]);
}

/** The nearest event of the chosen lane, before or after this moment. */
function neighbour(direction) {
  const events = moments().filter((moment) => sides().some((part) =>
    part.events.some((event) => event.lane === shown.lane && same(event, moment))));
  return direction < 0 ? events.findLast((event) => before(event, shown.moment))
    : events.find((event) => before(shown.moment, event));
}

/** The first event of the next instant, or of the one before. */
function instant(direction) {
  const all = moments();
  const now = shown.moment.nanoseconds;
  if (direction > 0) return all.find((moment) => moment.nanoseconds > now);
  const last = all.findLast((moment) => moment.nanoseconds < now);
  return last && all.find((moment) => moment.nanoseconds === last.nanoseconds);
}

const player = { timer: null, addressTimer: null };

function pause() {
  clearTimeout(player.timer);
  player.timer = null;
  document.body.classList.remove("playing");
  byId("play").setAttribute("aria-label", "Play");
}

/** Whether an event only prepares what follows: a subscription, or demand. */
const isSetup = (event) => ["subscription", "request"].includes(event.kind);

/** Plays from here, but not through the subscriptions at the start, of which one sees little. */
function play() {
  const all = moments();
  const here = position() >= all.length - 1 ? 0 : position();
  const setup = all.findIndex((event) => !isSetup(event));
  const start = Math.max(here, setup - 1);
  if (start !== position()) go(all[start], { isQuiet: true });
  document.body.classList.add("playing");
  byId("play").setAttribute("aria-label", "Pause");
  const next = () => {
    const from = shown.moment.nanoseconds;
    const moment = moments()[position() + 1];
    if (!moment) return pause();
    // A screen reader couldn't keep up with each event, so it hears of each instant once.
    go(moment, { isQuiet: moment.nanoseconds === from });
    player.timer = setTimeout(next, 900 / Number(byId("speed").value));
  };
  player.timer = setTimeout(next, 500);
}

function toggle() {
  if (player.timer !== null) pause();
  // A run that plays by itself would answer its questions.
  else if (predict.isOn) step(1);
  else play();
}

/** Shows other parts. The moment stays if two runs of one part are compared. */
function choose(a, b, { moment, notes = [] } = {}) {
  pause();
  shown.a = a;
  shown.b = b === a ? null : b;
  document.body.classList.toggle("comparing", Boolean(shown.b));
  const lanes = [...new Set(sides().flatMap((part) => part.events.map((event) => event.lane)))];
  byId("lane").replaceChildren(...lanes.map((lane) => make("option", { value: lane }, lane)));
  const usual = usualOf(a);
  const leftOut = usual.endingsLeftOut;
  byId("ending").parentElement.hidden = usual.endings.length + leftOut === 0;
  byId("ending").replaceChildren(make("option", { value: usual.key }, "as usual"),
    ...endingGroups(usual.endings));
  if (leftOut > 0) {
    byId("ending").append(make("option", { disabled: true },
      leftOut + " more with --explore and --faults"));
  }
  byId("compare-field").hidden = parts.length < 2 && usual.endings.length === 0;
  byId("compare").replaceChildren(make("option", { value: "" }, "nothing"),
    ...parts.filter((part) => part !== a)
      .map((part) => make("option", { value: part.key }, part.name)),
    ...endingGroups(usual.endings.filter((ending) => ending !== a)));
  const all = moments();
  const nearest = all.findLast((other) => !before(moment ?? all[0], other)) ?? all[0];
  if (nearest) go(nearest, { notes });
  else render({ notes });
}

/** Endings as groups of a menu: those in another order, and those with a fault of each request. */
function endingGroups(endings) {
  const groups = new Map();
  for (const ending of endings) {
    const label = /^request \d+/.exec(ending.title)?.[0] ?? "another order";
    if (!groups.has(label)) groups.set(label, make("optgroup", { label }));
    groups.get(label).append(make("option", { value: ending.key }, ending.title));
  }
  return groups.values();
}

/** The address of this moment, such as `part-2-event-12` or `event-3-vs-part-2-event-3`. */
function address() {
  return sides().map((part) => {
    const event = eventNow(part);
    return part.key + (event ? "-event-" + event.number : "");
  }).join("-vs-");
}

/** The part and the event that one side of an address names, and the name of one it can't find. */
function find(text) {
  if (!text) return { part: opening };
  const [isAddress, key, number] = /^(?:(.*part-\d+(?:-ending-\d+)?)-?)?(?:event-(\d+))?$/.exec(text) ?? [];
  const part = key ? partNamed(key) : isAddress != null && opening;
  if (!part) return { missing: key ?? `“${text}”` };
  const event = part.events.find((event) => String(event.number) === number);
  return { part, event, missing: number && !event ? "event " + number : null };
}

/** Goes to the event that an address such as "#part-1-event-3" names, and says so if there's none. */
function readAddress(text = location.hash) {
  if (parts.length === 0) return;
  clearTimeout(player.addressTimer);
  const named = text.slice(1).split("-vs-").map(find);
  const found = named.filter(({ part }) => part);
  const [a, b] = found;
  const events = found.map(({ event }) => event).filter(Boolean);
  const moment = events.sort((a, b) => (before(a, b) ? -1 : 1)).at(-1);
  const notes = named.filter(({ missing }) => missing).map(({ part, missing }) =>
    !part ? `There's no ${missing} on this page` + (a ? "." : "; this is where it begins.")
      : b ? `There's no ${missing} in “${part.name}”.`
        : `There's no ${missing} in this part; this is the first one.`);
  choose(a ? a.part : opening, b ? b.part : null, { moment, notes });
}

/** Whether a key belongs to the element that has the focus. */
function keepsKey(target, key) {
  if (target.closest("select, textarea")) return true;
  const isArrow = key === "ArrowLeft" || key === "ArrowRight";
  if (target.closest("input")) return key !== " ";
  if (key === " " && target.closest("button, summary, a")) return true;
  if (!target.matches("[role=region]")) return false;
  return isArrow ? target.scrollWidth > target.clientWidth
    : target.scrollHeight > target.clientHeight;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const keeps = event.shiftKey ? event.target.closest("select, textarea")
    : keepsKey(event.target, event.key);
  if (!keeps && press(event.key, event.shiftKey)) event.preventDefault();
}

/** Does what a key stands for. Returns whether it stands for anything. */
function press(key, withShift) {
  const actions = withShift
    ? { ArrowLeft: () => go(neighbour(-1)), ArrowRight: () => go(neighbour(1)) }
    : { ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": toggle,
      ArrowUp: () => go(instant(-1)), ArrowDown: () => go(instant(1)),
      Home: () => go(moments()[0]), End: () => go(moments().at(-1)) };
  actions.p = actions.P = () => setPredicting(!predict.isOn);
  if (predict.question) {
    const choice = predict.question.choices[Number(key) - 1];
    if (choice || key === "Escape") {
      answer(choice);
      return true;
    }
  }
  if (!Object.hasOwn(actions, key)) return false;
  if (key !== " ") pause();
  actions[key]();
  return true;
}

/** A swipe over the sentence or the buttons goes to the next event, or to the one before. */
function watchSwipes(element) {
  let start = null;
  element.addEventListener("touchstart", (event) => {
    const isControl = event.target.closest("input, select");
    start = event.touches.length === 1 && !isControl ? event.touches[0] : null;
  }, { passive: true });
  element.addEventListener("touchend", (event) => {
    if (!start) return;
    const x = event.changedTouches[0].clientX - start.clientX;
    const y = event.changedTouches[0].clientY - start.clientY;
    start = null;
    if (Math.abs(x) < 40 || Math.abs(x) < 2 * Math.abs(y)) return;
    pause();
    step(x < 0 ? 1 : -1);
  });
}

/**
 * Listens to the page that shows this one in a frame: it may have a theme of its own, pass on keys
 * that were pressed outside of the frame, and lead to an event.
 */
function onMessage({ data: message, source }) {
  if (source !== window.parent || message === null || typeof message !== "object") return;
  const theme = message.theme ?? message.colorScheme;
  if (typeof theme === "string") setTheme(theme);
  if (typeof message.key === "string") press(message.key, message.shiftKey === true);
  if (typeof message.address === "string") readAddress(message.address);
}

const knowsLightDark = CSS.supports("color", "light-dark(red, red)");
const style = document.querySelector("style");
const styleText = style.textContent;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function setTheme(theme) {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
  if (knowsLightDark) return;
  // Browsers of 2023 can't choose between two colours, so the page does.
  const isDark = (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  style.textContent = styleText.replace(
    /light-dark\(([^,()]+),([^()]+)\)/g, (_, light, dark) => (isDark ? dark : light));
}

function begin() {
  byId("scenario").textContent = data.scenario;
  byId("summary").textContent = data.summary;
  const options = new URLSearchParams(location.search);
  setTheme(options.get("theme"));
  prefersDark.addEventListener("change", () => setTheme(document.documentElement.dataset.theme));
  addEventListener("message", onMessage);
  // The page around a frame has the headings.
  document.documentElement.classList.toggle("framed", window !== window.parent);
  byId("part").append(...parts.map((part) =>
    make("option", { value: part.key }, part.name)));
  byId("part").parentElement.hidden = parts.length < 2;
  const onClick = (id, action) => byId(id).addEventListener("click", () => {
    if (id !== "play") pause();
    action();
  });
  onClick("first", () => go(moments()[0]));
  onClick("back", () => step(-1));
  onClick("play", toggle);
  onClick("next", () => step(1));
  onClick("last", () => go(moments().at(-1)));
  onClick("lane-back", () => go(neighbour(-1)));
  onClick("lane-next", () => go(neighbour(1)));
  onClick("predict", () => setPredicting(!predict.isOn));
  byId("full").hidden = !document.fullscreenEnabled;
  byId("full").addEventListener("click", () =>
    document.fullscreenElement ? document.exitFullscreen()
      : document.documentElement.requestFullscreen());
  onClick("because", () => {
    const isOpen = byId("because").getAttribute("aria-expanded") === "true";
    byId("because").setAttribute("aria-expanded", String(!isOpen));
    showCauses();
    // The list is the first of the panels.
    byId("panels").scrollTop = 0;
  });
  byId("slider").addEventListener("input", () => {
    pause();
    go(moments()[Number(byId("slider").value)]);
  });
  byId("lane").addEventListener("change", () => {
    pause();
    shown.lane = byId("lane").value;
    showControls();
  });
  byId("part").addEventListener("change", () =>
    choose(partNamed(byId("part").value), null));
  byId("ending").addEventListener("change", () =>
    choose(partNamed(byId("ending").value), shown.b, { moment: shown.moment }));
  byId("compare").addEventListener("change", () =>
    choose(shown.a, partNamed(byId("compare").value) ?? null, { moment: shown.moment }));
  addEventListener("keydown", onKey);
  watchSwipes(document.querySelector(".bar"));
  // By now, the player may have written its own address over the one that it should read.
  addEventListener("hashchange", (event) => readAddress(new URL(event.newURL).hash));
  buildCode();
  const isAtEvent = /event-\d/.test(location.hash);
  readAddress();
  // A page that has asked its readers to predict leads here with this.
  setPredicting(options.has("predict"));
  // One that has a button to play leads here with that. An address of an event shows the event.
  if (options.has("play") && !isAtEvent) toggle();
}

begin();
