// The track: what the script decides, each with a handle that a reader moves.

/** The name of a thing's row: one for all actions, one for each source, one for each address. */
const rowNameOf = (thing) =>
  thing.kind === "action" ? "actions"
    : thing.kind === "response" ? placeIn(thing.address.replace(/^(chunk \d+|the end) of /, ""))
    : thing.source;

/** The rows of the track, each with its things. */
function trackRows(things) {
  const found = new Map();
  for (const thing of things) {
    const name = rowNameOf(thing);
    if (!found.has(name)) found.set(name, []);
    found.get(name).push(thing);
  }
  return found;
}

/** What a response's address has besides its row's name, such as `q=sw`, `#2` or `chunk 1`. */
function responseLabel(thing, group) {
  if (group.length === 1) return "";
  const [, piece, query, number] =
    /^(?:(chunk \d+|the end) of )?.*?(?:\?(.*?))?(?: (#\d+))?$/.exec(thing.address);
  return [query, piece?.replace("the end", "end"), number].filter(Boolean).join(" ")
    || (group.some((other) => other.address.includes(" of ")) ? "response" : "#1");
}

/** What an action does first, without what all actions say, or which lane sends the value. */
function actionLabel(thing, group) {
  const deed = thing.deed ?? "";
  const [, lane, text] = /^(.+?) (?:value (.+)|finished)$/.exec(deed) ?? [];
  if (stage.run.events.some((event) => event.lane === lane)) return text ?? "finished";
  const [first] = deed.split(" ", 1);
  const isCommon = group.length > 1 && group.every((one) => one.deed?.startsWith(`${first} `));
  return isCommon ? deed.slice(first.length + 1) : deed;
}

/** What a handle is called, in the row of its group. */
function labelOf(thing, group = trackRows(stage.run.things).get(rowNameOf(thing))) {
  if (thing.kind === "response") return responseLabel(thing, group);
  if (thing.kind === "action") return actionLabel(thing, group);
  return thing.value ?? "end";
}

/** Rows are their names, with where they begin and end. */
const track = { handles: new Map(), lines: new Map(), rows: [], held: null };
const timesHeight = 24;
const mostOfLabel = 16;

/** The time that a thing stands at: where it's moved to, or where the run has it. */
const timeOf = ({ address, time }) => stage.moves.has(address) ? stage.moves.get(address) : time;

/** A handle stands at the far right if its thing never comes. */
const placeOf = (thing) => timeOf(thing) == null ? axis.never : xOf(timeOf(thing));

/** What a handle and its label cover. At the right edge, the label stands left of the handle. */
function reachOf(thing, label) {
  const x = placeOf(thing);
  const width = Math.min(mostOfLabel, label.length) * letter + 6;
  const isFlipped = x - 5 + width > axis.right;
  return {
    isFlipped, left: Math.min(x - 11, isFlipped ? x + 5 - width : x),
    right: Math.max(x + 11, isFlipped ? x : x - 5 + width),
  };
}

/** Gives each thing a line of its row, so that handles and labels don't cover each other. */
function packTrack() {
  track.lines.clear();
  for (const group of trackRows(stage.run.things).values()) {
    const taken = [];
    const reaches = group.map((thing) => ({ thing, ...reachOf(thing, labelOf(thing, group)) }))
      .sort((one, other) => one.left - other.left);
    for (const { thing, left, right } of reaches) {
      let line = taken.findIndex((until) => until <= left);
      if (line < 0) line = taken.length < 3 ? taken.length : taken.indexOf(Math.min(...taken));
      taken[line] = right;
      track.lines.set(thing.address, line);
    }
  }
}

/** Draws the rails, and puts the handles on them. */
function drawTrack() {
  const group = draw("g");
  drawTimes(group);
  const used = new Set();
  track.rows = [];
  let y = timesHeight;
  for (const [name, things] of trackRows(stage.run.things)) {
    const labels = new Map(things.map((thing) => [thing, labelOf(thing, things)]));
    const lineHeight = [...labels.values()].some(Boolean) ? 38 : 30;
    const count = 1 + Math.max(...things.map((thing) => track.lines.get(thing.address) ?? 0));
    const first = y + (axis.isWide ? 0 : 17) + lineHeight - 14;
    group.append(draw("text", {
      class: "lane", x: axis.isWide ? 12 : 8, y: axis.isWide ? first + 4 : y + 11,
    }, draw("title", {}, name), shortened(name, nameRoom())));
    for (let line = 0; line < count; line += 1) {
      const at = first + line * lineHeight;
      group.append(draw("path", { class: "rail", d: `M${axis.left} ${at}H${axis.right}` }));
      const own = things.filter((thing) => (track.lines.get(thing.address) ?? 0) === line);
      const places = own.map(placeOf).sort((one, other) => one - other);
      for (const thing of own) {
        const usual = stage.usual?.things.find((other) => other.address === thing.address);
        if (usual?.time != null && usual.time !== timeOf(thing)) {
          group.append(draw("circle", { class: "ghost", cx: xOf(usual.time), cy: at, r: 7 }));
        }
        const next = places.find((x) => x > placeOf(thing)) ?? Infinity;
        placeHandle(thing, at, labels.get(thing), next - placeOf(thing));
        used.add(thing.address);
      }
    }
    const top = y;
    y = first + (count - 1) * lineHeight + 14;
    track.rows.push([name, top, y]);
  }
  for (const [address, handle] of track.handles) {
    if (used.has(address)) continue;
    // The keyboard goes on with the value that it was a copy of.
    const original = address.replace(/ copy \d+/, "");
    if (handle === document.activeElement) track.handles.get(original)?.focus();
    handle.remove();
    track.handles.delete(address);
  }
  return { group, height: y + 4 };
}

/** Writes the times of the axis. */
function drawTimes(group) {
  const write = (x, words) => group.append(draw("text", { class: "time", x, y: 16 }, words));
  if (axis.columns) return write(axis.left, "0 ms");
  for (let time = 0; time <= axis.longest && xOf(time) < axis.end - 10; time += axis.step) {
    write(xOf(time), time === 0 ? "0 ms" : String(time / 1e6));
  }
  // While something is dragged, what's behind the end may come at another time.
  const times = [...stage.run.events.map((event) => event.nanoseconds),
    ...stage.run.things.map(timeOf)].filter((time) => time > axis.longest);
  for (const column of axis.later) {
    const own = times.filter((time) => columnOf(time) === column);
    write(column.x, shortTime(own.length ? Math.min(...own) : column.time));
  }
}

function placeHandle(thing, y, label, room) {
  let handle = track.handles.get(thing.address);
  if (!handle) {
    handle = make("div", { class: `handle ${thing.kind}`, "data-address": thing.address },
      make("span", {}));
    handle.addEventListener("keydown", (event) => onHandleKey(event, thing.address));
    handle.addEventListener("dblclick", () => move(thing.address, undefined));
    track.handles.set(thing.address, handle);
    byId("track").append(handle);
  }
  const time = timeOf(thing);
  const { isFlipped } = reachOf(thing, label);
  handle.firstChild.textContent = shortened(label,
    isFlipped ? mostOfLabel : Math.min(mostOfLabel, Math.max(2, Math.floor((room - 4) / letter))));
  handle.title = `${thing.words}${thing.place ? ` (${thing.place})` : ""}${label && `: ${label}`}`;
  handle.setAttribute("aria-label", label ? `${thing.words}, ${label}` : thing.words);
  const isFixed = timesOf(thing) === null;
  const values = {
    min: thing.earliest / 1e6, max: Math.round((thing.latest ?? axis.longest) / 1e6),
    now: Math.round((time ?? axis.longest) / 1e6), text: inMilliseconds(time),
  };
  for (const [name, value] of Object.entries(values)) {
    if (isFixed) handle.removeAttribute(`aria-value${name}`);
    else handle.setAttribute(`aria-value${name}`, value);
  }
  handle.classList.toggle("fixed", isFixed);
  handle.setAttribute("role", isFixed ? "img" : "slider");
  handle.tabIndex = isFixed ? -1 : 0;
  handle.classList.toggle("moved", stage.moves.has(thing.address));
  handle.classList.toggle("never", time == null);
  handle.classList.toggle("flipped", isFlipped);
  const x = track.held?.address === thing.address ? track.held.x : placeOf(thing);
  handle.style.transform = `translate(${x}px, ${y}px)`;
}

const thingAt = (address) => stage.run.things.find((thing) => thing.address === address);

/** Whether a reader added it. Then it's there as long as its move is. */
const isCopy = ({ address }) => / copy \d+( #\d+)?$/.test(address);

/** The things of a source, which keep their order. A copy goes anywhere. */
const seriesOf = (thing) => thing.source && !isCopy(thing)
  ? stage.run.things.filter((other) => other.source === thing.source && !isCopy(other)) : [thing];

/** The first and the last time of a thing, which pushes those of its source along. */
function boundsOf(thing) {
  const series = seriesOf(thing);
  return [Math.min(...series.map(({ earliest }) => earliest)),
    Math.max(...series.map(({ latest }) => latest ?? Infinity))];
}

const usualTimes = () => new Map(stage.usual.things.map((thing) => [thing.address, thing.time]));

/** The moves after one more. A thing pushes those of its source along, unless it never comes. */
function pushed(address, time, moves) {
  const isEnd = (thing) => thing.value == null;
  const series = seriesOf(thingAt(address)).sort((one, other) =>
    one.usual - other.usual || isEnd(one) - isEnd(other));
  const place = series.findIndex((thing) => thing.address === address);
  const usual = usualTimes();
  const result = new Map([...moves, [address, time]]);
  series.forEach((thing, index) => {
    const now = moves.has(thing.address) ? moves.get(thing.address) : usual.get(thing.address);
    const isInTheWay = index < place ? now > time : now < time;
    if (time !== null && now !== null && isInTheWay) result.set(thing.address, time);
  });
  return result;
}

/**
 * Moves a thing to a time in nanoseconds; `null` for never, and `undefined` for its usual time. What
 * it pushes goes on from where it is with some moves.
 */
function move(address, time, moves = stage.moves) {
  const possible = timesOf({ address });
  if (possible === null || time === null && possible?.includes(null) === false) return;
  const before = JSON.stringify(variationOf(stage));
  const usual = usualTimes();
  const target = time === undefined ? usual.get(address) ?? null : time;
  const times = source.arrange?.({ ...stage, moves }, address, target)
    ?? pushed(address, target, moves);
  // A table has these moves without those of other groups, without a fault, and in the usual order.
  const isAlone = source.arrange && (stage.fault || stage.schedule
    || [...stage.moves.keys()].some((other) => !times.has(other)));
  const remark = isAlone
    ? `On this page, ${address} moves alone. With make play, all moves together.` : null;
  // While it's held, a copy may come back from where it never comes.
  stage.moves = new Map([...times].filter(([other, time]) => time !== (usual.get(other) ?? null)
    || isCopy({ address: other }) && other === track.held?.address));
  if (source.arrange) Object.assign(stage, { fault: null, schedule: null });
  if (JSON.stringify(variationOf(stage)) === before) render();
  else rerun({ remark });
}

/** Adds a value: a copy of another one, at a time. */
function addCopy(thing, time) {
  const [, value, subscription] =
    /^(.*? value \d+)(?: copy \d+)?( #\d+)?$/.exec(thing?.address) ?? [];
  if (!value || source.arrange) return;
  const addressOf = (number) => `${value} copy ${number}${subscription ?? ""}`;
  let number = 1;
  while (stage.moves.has(addressOf(number))) number += 1;
  // A copy pushes nothing, so it stays before the end.
  const latest = thing.latest ?? Infinity;
  stage.moves.set(addressOf(number), Math.min(latest, snapped(thing, time)));
  rerun();
}

/** The value of a row that's next to a time. */
function valueNear(row, time) {
  const distance = (thing) => Math.abs((timeOf(thing) ?? Infinity) - time);
  return (trackRows(stage.run.things).get(row) ?? []).filter((thing) => thing.value != null)
    .sort((one, other) => distance(one) - distance(other))[0];
}

/** The step of a pointer: a round number of milliseconds that's about a pixel, and at least one. */
function pointerStep() {
  const perPixel = axis.longest / (axis.end - axis.left);
  for (let power = 1e6; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power >= perPixel) return factor * power;
  }
}

/** The times that a thing can be at here: `undefined` for any, `null` if it stays where it is. */
const timesOf = ({ address }) => source.timesOf?.(address, stage);

function snapped(thing, time) {
  if (timesOf(thing)) return time;
  const step = pointerStep();
  const others = stage.run.things.filter((other) => other !== thing).map(timeOf)
    .concat(stage.usual?.things.find((other) => other.address === thing.address)?.time ?? [])
    .filter((other) => other != null && Math.abs(xOf(other) - xOf(time)) < 4);
  const target = others.length ? others[0] : Math.round(time / step) * step;
  const [earliest, latest] = boundsOf(thing);
  return Math.min(latest, Math.max(earliest, target));
}

function onHandleKey(event, address) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const thing = thingAt(address);
  const time = timeOf(thing);
  const step = event.shiftKey ? 1e6 : Math.max(1e6, axis.step / 10);
  const from = time ?? axis.longest;
  const by = (distance) => from + distance * step;
  const [earliest, latest] = boundsOf(thing);
  const target = {
    ArrowLeft: by(-1), ArrowDown: by(-1), ArrowRight: by(1), ArrowUp: by(1),
    PageDown: by(-10), PageUp: by(10), Home: earliest,
    End: axis.longest, Delete: null, Backspace: undefined,
  };
  if (event.key === "Insert" || event.key === "+") {
    event.preventDefault();
    return addCopy(thing, from + Math.max(1e6, axis.step / 2));
  }
  if (!(event.key in target)) return;
  event.preventDefault();
  event.stopPropagation();
  const next = target[event.key];
  if (next == null) return move(address, next);
  const times = timesOf(thing)?.filter((other) => other != null);
  // With a table, a key goes one time on at least.
  const other = next < from ? times?.findLast((other) => other < from && other <= Math.max(next, times[0]))
    : times?.find((other) => other > from && other >= Math.min(next, times.at(-1)));
  if (times) return move(address, other ?? from);
  move(address, Math.min(latest, Math.max(earliest, next)));
}

/** The handle that's nearest to a pointer, if one is near. */
function handleNear(event) {
  const box = byId("stage").getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let [best, distance] = [null, 28];
  for (const [address, handle] of track.handles) {
    if (handle.classList.contains("fixed")) continue;
    const spot = handle.getBoundingClientRect();
    const middle = spot.top + spot.height / 2 - box.top;
    const away = Math.hypot(x - placeOf(thingAt(address)), y - middle);
    if (away < distance) [best, distance] = [address, away];
  }
  return best && { address: best, x };
}

function watchPointer(area) {
  area.addEventListener("pointerdown", (event) => {
    const near = event.button || !event.isPrimary ? null : handleNear(event);
    if (!near) return;
    event.preventDefault();
    const x = placeOf(thingAt(near.address));
    track.held = { address: near.address, x, offset: near.x - x, moves: stage.moves };
    area.setPointerCapture(event.pointerId);
    area.classList.add("dragging");
    track.handles.get(near.address).focus({ preventScroll: true });
  });
  area.addEventListener("pointermove", (event) => {
    if (!event.isPrimary) return;
    if (!track.held) return area.classList.toggle("near", Boolean(handleNear(event)));
    const { address, offset, moves } = track.held;
    const thing = thingAt(address);
    if (!thing) return;
    const x = event.clientX - area.getBoundingClientRect().left - offset;
    // At the right edge, it never comes.
    const canBeNever = timesOf(thing)?.includes(null) ?? thing.latest == null;
    const isNever = canBeNever && x > axis.never - 10;
    const [earliest] = boundsOf(thing);
    track.held.x = isNever ? axis.never : Math.min(axis.never, Math.max(xOf(earliest), x));
    // A drag counts from where it began, so what was pushed comes back.
    move(address, isNever ? null : snapped(thing, timeAt(Math.max(axis.left, x))), moves);
  });
  area.addEventListener("dblclick", (event) => {
    const box = area.getBoundingClientRect();
    const y = event.clientY - box.top;
    const [row] = track.rows.find(([, top, bottom]) => top <= y && y < bottom) ?? [];
    const x = event.clientX - box.left;
    if (row && x >= axis.left && x <= axis.end && !handleNear(event)) {
      addCopy(valueNear(row, timeAt(x)), timeAt(x));
    }
  });
  const release = (event) => {
    if (!event.isPrimary || !track.held) return;
    const { address } = track.held;
    track.held = null;
    if (isCopy({ address }) && stage.moves.get(address) === null) move(address, null);
    area.classList.remove("dragging");
    render({ rescales: true });
  };
  area.addEventListener("pointerup", release);
  area.addEventListener("pointercancel", release);
}
