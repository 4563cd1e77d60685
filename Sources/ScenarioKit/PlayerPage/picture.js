// The picture with its playhead, and the panes of each side.

const sideElements = Object.fromEntries(["a", "b"].map((name) => {
  const now = make("dl");
  const log = make("ol");
  const title = make("h2", { class: "run-name" });
  const pane = (...children) =>
    make("div", { class: "scrolls", role: "region", tabindex: 0 }, ...children);
  const picture = pane();
  const cards = [
    make("div", { class: "card picture " + name }, title, picture),
    make("section", { class: "card now " + name }, now),
    make("div", { class: "card log " + name }, make("h2", {}, "Transcript"), pane(log)),
  ];
  byId("pictures").append(cards[0]);
  document.querySelector("#panels details").before(...cards.slice(1));
  const side = { cards, title, picture, now, log, part: null, drawn: null, last: null };
  new ResizeObserver(() => {
    drawPictures();
    keepMarkInView(side);
  }).observe(picture);
  return [name, side];
}));

/** Names the panes of a part, so that a screen reader can tell those of two parts apart. */
function namePanes(part, side) {
  side.title.textContent = part.name;
  const panes = { Picture: side.picture, Now: side.now.parentElement,
    Transcript: side.log.parentElement };
  for (const [name, pane] of Object.entries(panes)) {
    pane.setAttribute("aria-label", `${name}: ${part.name}`);
  }
}

/** The width of a picture in its own units, from its text. */
const widthOf = (text) => Number(/ width="([\d.]+)"/.exec(text)[1]);

/** Draws the pictures that are new or need another form. Two runs have one form to compare. */
function drawPictures({ isNewMoment = false } = {}) {
  const used = Object.values(sideElements).filter((side) => side.part);
  const fits = ({ part, picture }) =>
    widthOf(part.pictures.wide) * smallest <= picture.clientWidth;
  const style = used.every(fits) ? "wide" : "narrow";
  for (const side of used) {
    const isNew = drawPicture(side.part, side, style);
    fitPicture(side.picture);
    if (isNew || isNewMoment) markPicture(side.part, side);
  }
  lightReasons();
}

/** Puts the picture of a part into its pane, in a form. Returns whether it's new. */
function drawPicture(part, side, style) {
  if (side.drawn === part.key + style) return false;
  side.drawn = part.key + style;
  side.prefix = part.prefix + style;
  side.picture.innerHTML = part.pictures[style];
  const svg = side.picture.firstElementChild;
  for (const event of part.events) {
    markOf(side, event)?.addEventListener("click", () => go(event));
  }
  for (const label of svg.querySelectorAll("text.p-m")) {
    const lane = laneNamed(part, label.textContent);
    if (!lane) continue;
    label.classList.add("lane-label");
    label.addEventListener("click", () => {
      shown.lane = lane;
      go(neighbour(1) ?? moments().find((event) => event.lane === lane));
    });
  }
  side.blocks = [...svg.querySelectorAll("g[data-left]")].map((block) => {
    const veil = document.createElementNS(svg.namespaceURI, "path");
    veil.setAttribute("class", "veil");
    const head = document.createElementNS(svg.namespaceURI, "path");
    head.setAttribute("class", "playhead");
    // Both stand between the lanes and the marks.
    block.after(veil, head);
    return { veil, head, ...block.dataset };
  });
  return true;
}

/** How far a picture may shrink or grow to fill its pane: further if it's short enough. */
const smallest = 0.86;
const largest = 1.15;
const largestShort = 1.6;

function fitPicture(pane) {
  const svg = pane.firstElementChild;
  const { width, height } = svg.viewBox.baseVal;
  const most = Math.max(largest, Math.min(largestShort, pane.clientHeight / height));
  svg.style.width = `clamp(${width * smallest}px, 100%, ${width * most}px)`;
  svg.style.height = "auto";
}

/** The lane of a row: rows of lives at the same time have a number after the lane's name. */
function laneNamed(part, name) {
  const lanes = part.events.map((event) => event.lane);
  return [name, name.replace(/ \d+$/, "")].find((lane) => lanes.includes(lane));
}

/** The group of an event in the picture. */
const markOf = (side, event) => byId(side.prefix + "e" + event.number);

/** Fades the future, and moves the playhead. */
function markPicture(part, side) {
  const current = eventNow(part);
  document.body.classList.toggle("unstarted", position() === 0 && !predict.isOn);
  const last = lastEvent(part);
  const group = last && markOf(side, last);
  const x = group ? Number(group.dataset.x) : -1;
  const block = group ? Number(group.dataset.block) : -1;
  for (const event of part.events) {
    const mark = markOf(side, event);
    mark?.classList.toggle("later", before(shown.moment, event));
    mark?.classList.toggle("on", event === current);
  }
  for (const line of side.picture.querySelectorAll("path[data-from]")) {
    line.classList.toggle("later", !last || Number(line.dataset.from) > last.number);
  }
  for (const [index, { veil, head, left, right, top, bottom }] of side.blocks.entries()) {
    const end = Number(right) + 11;
    const start = index === block ? x : Number(left) - 12;
    // The times stand above the lanes. Those of the current block stay clear.
    const above = index === block ? top : top - 24;
    // Whoever predicts doesn't see the times of the future either.
    const times = index === block && predict.isOn
      ? `M${start + 34} ${top - 26}H${end}V${top}H${start + 34}z` : "";
    veil.setAttribute("d", index < block ? ""
      : `M${start} ${above}H${end}V${bottom}H${start}z${times}`);
    head.setAttribute("d", index === block ? `M${x} ${top - 6}V${bottom}` : "");
  }
  side.last = last;
  keepMarkInView(side);
}

/** Lets the events that led to the current one stand out, and fades the rest. */
function lightReasons() {
  const { part, events } = shown.reasons ?? { events: [] };
  for (const side of Object.values(sideElements).filter((side) => side.part)) {
    const isAsked = side.part === part && events.length > 0;
    side.picture.firstElementChild?.classList.toggle("because", isAsked);
    for (const event of side.part.events) {
      markOf(side, event)?.classList.toggle("reason", isAsked && events.includes(event));
    }
  }
}

/**
 * Scrolls the pane so that an event can be seen: with all lanes of its block if there's room, else
 * with the arrow that leads to it, else alone. A window that's too small for the page scrolls too.
 */
function keepMarkInView(side) {
  const { picture: pane, last } = side;
  if (!last) return;
  const svg = pane.firstElementChild;
  const box = svg.getBoundingClientRect();
  const scale = box.width / svg.viewBox.baseVal.width;
  const { x, block } = markOf(side, last).dataset;
  const { top, bottom } = side.blocks[block];
  const place = box.left + x * scale;
  const head = box.top + top * scale;
  const sign = signOf(side, last) ?? { top: head, bottom: head, left: place, right: place };
  const spans = [
    { top: box.top + (top - 26) * scale, bottom: box.top + bottom * scale },
    markOf(side, last).getBoundingClientRect(),
    { top: sign.top - 20, bottom: sign.bottom + 20 },
  ];
  const holds = (span) => span.top <= sign.top + 1 && span.bottom >= sign.bottom - 1
    && span.bottom - span.top <= pane.clientHeight;
  const span = spans.find(holds) ?? sign;
  const view = pane.getBoundingClientRect();
  pane.scrollTop += distance(
    span.top, span.bottom, view.top, view.top + pane.clientHeight);
  const margin = Math.min(80, pane.clientWidth / 4);
  const around = {
    left: Math.min(place - margin, sign.left), right: Math.max(place + margin, sign.right),
  };
  // The end of a stream stands behind its value, which may be wider than the pane.
  const { left, right } = around.right - around.left <= pane.clientWidth ? around : sign;
  pane.scrollLeft += distance(left - 2, right + 2, view.left, view.left + pane.clientWidth);
  const seen = signOf(side, last);
  if (seen) scrollBy(0, distance(seen.top - 20, seen.bottom + 20, 0, innerHeight));
}

/** How far to scroll, so that a stretch lies in the visible one, or at least its start does. */
const distance = (start, end, from, to) =>
  start < from ? start - from : Math.max(0, Math.min(end - to, start - from));

/**
 * Where the sign of an event is on the screen. A line that only repeats a value has none, so the
 * value's stands for it.
 */
function signOf(side, event) {
  const { block } = markOf(side, event).dataset;
  for (let next = event; next; next = eventNumbered(side.part, next.cause)) {
    const mark = markOf(side, next);
    const sign = [...mark.children].findLast((child) => !child.matches("title"));
    // Arrows come first, so that signs cover them.
    if (sign) return mark.dataset.block === block ? sign.getBoundingClientRect() : null;
  }
  return null;
}
