// The page in its surroundings: the theme, a page around it, and its address.

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

/**
 * Listens to the page that shows this one in a frame: it may have a theme of its own, pass on keys
 * that were pressed outside of the frame, and lead to an event.
 */
function onMessage({ data: message, source }) {
  if (source !== window.parent || message === null || typeof message !== "object") return;
  const theme = message.theme ?? message.colorScheme;
  if (typeof theme === "string") setTheme(theme);
  if (typeof message.key === "string") press(message.key, message.shiftKey === true);
  if (typeof message.address === "string") follow(message.address);
}

/** The address to follow as soon as the program is there. */
const arrival = { address: location.hash, options: new URLSearchParams(location.search) };

/** Goes where an address leads. */
function follow(address) {
  if (!stage.program.parts.length) {
    arrival.address = address;
    return;
  }
  pause();
  if (readAddress(address) || !stage.run) begin();
  else goToWanted();
}

/** Does what the page's address asks for at first: to play, or to predict. */
function arrive() {
  const { options } = arrival;
  // An address of an event shows the event.
  const isAtEvent = new URLSearchParams(arrival.address.slice(1)).has("event");
  arrival.address = null;
  if (options.has("predict")) setPredicting(true);
  else if (options.has("play") && !isAtEvent) play();
}

/** Whether only what can be moved, the picture and the user's screen are shown. */
const isBrief = arrival.options.has("brief");

/**
 * Tells the page around a frame how much room the stage needs, what's moved, and what came out of
 * the lane that it asks for.
 */
function tellPage() {
  if (!isBrief) return;
  const outcome = stage.run.events
    .filter((event) => event.lane === arrival.options.get("tell") && carries(event))
    .map((event) => ({ kind: event.kind, text: wordsOf(event), time: event.nanoseconds / 1e6 }));
  const { moves } = variationOf(stage);
  window.parent.postMessage({ height: document.body.scrollHeight, moves, outcome }, "*");
}

function watchSurroundings() {
  document.documentElement.classList.toggle("brief", isBrief);
  addEventListener("pointerdown", () => document.documentElement.classList.add("touched"));
  setTheme(arrival.options.get("theme"));
  prefersDark.addEventListener("change", () => setTheme(document.documentElement.dataset.theme));
  // The page around a frame has the headings.
  document.documentElement.classList.toggle("framed", window !== window.parent);
  addEventListener("message", onMessage);
  // By now, the page may have written its own address over the one that it should read.
  addEventListener("hashchange", ({ newURL }) => follow(new URL(newURL).hash));
  byId("full").hidden = !document.fullscreenEnabled;
  byId("full").addEventListener("click", () =>
    document.fullscreenElement ? document.exitFullscreen()
      : document.documentElement.requestFullscreen());
}
