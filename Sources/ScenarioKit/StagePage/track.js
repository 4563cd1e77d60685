// The track: what the script decides, each with a handle that a reader moves.

/** What a handle is called: an action by the first value that it sends, or by what it prints. */
function labelOf(thing) {
  if (thing.kind === "response") return thing.address;
  if (thing.address.startsWith("the end of ")) return "end";
  const own = stage.run.events.filter((event) => event.nanoseconds === thing.time
    && event.cause == null && (event.kind === "value" || event.role === "console"));
  const event = own.find((event) => event.kind === "value") ?? own[0];
  return event ? wordsOf(event) : thing.address;
}

/** The rows of the track: one for all actions, one for each source, one for each request. */
function trackRows(things) {
  const found = new Map();
  for (const thing of things) {
    const name = thing.kind === "action" ? "actions"
      : thing.kind === "response" ? thing.address.replace(/^(chunk \d+|the end) of /, "")
      : thing.address.replace(/^the end of /, "").replace(/ value \d+( #\d+)?$/, "$1");
    if (!found.has(name)) found.set(name, []);
    found.get(name).push(thing);
  }
  return found;
}

const track = { handles: new Map(), height: 0, held: null };
const trackTop = 26;

/** The time that a thing stands at: where it's moved to, or where the run has it. */
const timeOf = (thing) => stage.moves.has(thing.address) ? stage.moves.get(thing.address) : thing.time;

/** A handle stands at the far right if its thing never comes. */
const placeOf = (thing) => timeOf(thing) == null ? axis.left + axis.width : xOf(timeOf(thing));

function drawTrack(svg) {
  const things = stage.run.things;
  const found = trackRows(things);
  track.height = trackTop + found.size * trackRowHeight();
  const lines = draw("g");
  for (let time = 0; time <= axis.longest; time += axis.step) {
    const x = xOf(time);
    lines.append(draw("path", { class: "tick", d: `M${x} 20V${svg.dataset.bottom}` }),
      draw("text", { class: "time", x, y: 14 }, time === 0 ? "0 ms" : String(time / 1e6)));
  }
  const used = new Set();
  [...found].forEach(([name, group], index) => {
    const y = trackTop + (index + 1) * trackRowHeight() - 18;
    lines.append(draw("path", { class: "rail", d: `M${axis.left} ${y}H${axis.left + axis.width}` }),
      draw("text", { class: "lane", x: 8, y: axis.isWide ? y + 4 : y - 24 },
        axis.isWide ? shortened(name, axis.left - 8) : name));
    const times = group.map(placeOf).sort((one, other) => one - other);
    for (const thing of group) {
      const usual = stage.usual?.things.find((other) => other.address === thing.address);
      if (usual?.time != null && usual.time !== timeOf(thing)) {
        lines.append(draw("circle", { class: "ghost", cx: xOf(usual.time), cy: y, r: 7 }));
      }
      const next = times.find((x) => x > placeOf(thing)) ?? axis.left + axis.width + 60;
      placeHandle(thing, y, next - placeOf(thing));
      used.add(thing.address);
    }
  });
  for (const [address, handle] of track.handles) {
    if (used.has(address)) continue;
    handle.remove();
    track.handles.delete(address);
  }
  return lines;
}

function placeHandle(thing, y, room) {
  let handle = track.handles.get(thing.address);
  if (!handle) {
    handle = make("div", { class: `handle ${thing.kind}`, role: "slider", tabindex: 0 },
      make("span", {}));
    handle.addEventListener("keydown", (event) => onHandleKey(event, thing.address));
    handle.addEventListener("dblclick", () => move(thing.address, undefined));
    track.handles.set(thing.address, handle);
    byId("stage").append(handle);
  }
  const label = labelOf(thing);
  handle.firstChild.textContent = thing.kind === "response" ? "" : shortened(label, room - 4);
  handle.title = `${thing.words}${thing.place ? ` (${thing.place})` : ""}: ${label}`;
  const time = timeOf(thing);
  handle.setAttribute("aria-label", `${thing.words}${label === thing.address ? "" : `, ${label}`}`);
  handle.setAttribute("aria-valuemin", thing.earliest / 1e6);
  handle.setAttribute("aria-valuemax", Math.round((thing.latest ?? axis.longest) / 1e6));
  handle.setAttribute("aria-valuenow", Math.round((time ?? axis.longest) / 1e6));
  handle.setAttribute("aria-valuetext", inMilliseconds(time));
  handle.classList.toggle("moved", stage.moves.has(thing.address));
  handle.classList.toggle("never", time == null);
  const x = track.held?.address === thing.address ? track.held.x : placeOf(thing);
  handle.style.transform = `translate(${x}px, ${y}px)`;
}

const thingAt = (address) => stage.run.things.find((thing) => thing.address === address);

/** Moves a thing to a time in nanoseconds; `null` for never, and `undefined` for its usual time. */
function move(address, time) {
  const usual = stage.usual?.things.find((thing) => thing.address === address);
  if (time === undefined || time === usual?.time) stage.moves.delete(address);
  else stage.moves.set(address, time);
  rerun();
}

/** The step of a pointer: a round number of milliseconds that's about a pixel, and at least one. */
function pointerStep() {
  const perPixel = axis.longest / axis.width;
  for (let power = 1e6; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power >= perPixel) return factor * power;
  }
}

function snapped(thing, time) {
  const step = pointerStep();
  const others = stage.run.things.filter((other) => other !== thing).map(timeOf)
    .concat(stage.usual?.things.find((other) => other.address === thing.address)?.time ?? [])
    .filter((other) => other != null && Math.abs(xOf(other) - xOf(time)) < 4);
  const target = others.length ? others[0] : Math.round(time / step) * step;
  return Math.min(thing.latest ?? Infinity, Math.max(thing.earliest, target));
}

function onHandleKey(event, address) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const thing = thingAt(address);
  const time = timeOf(thing);
  const step = event.shiftKey ? 1e6 : Math.max(1e6, axis.step / 10);
  const from = time ?? axis.longest;
  const target = {
    ArrowLeft: from - step, ArrowDown: from - step, ArrowRight: from + step, ArrowUp: from + step,
    PageDown: from - 10 * step, PageUp: from + 10 * step, Home: thing.earliest,
    End: axis.longest, Delete: null, Backspace: undefined,
  };
  if (!(event.key in target)) return;
  event.preventDefault();
  event.stopPropagation();
  const next = target[event.key];
  move(address, next == null ? next
    : Math.min(thing.latest ?? Infinity, Math.max(thing.earliest, next)));
}

/** The handle that's nearest to a pointer, if one is near. */
function handleNear(event) {
  const box = byId("stage").getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let [best, distance] = [null, 26];
  for (const [address, handle] of track.handles) {
    const spot = handle.getBoundingClientRect();
    const middle = spot.top + spot.height / 2 - box.top;
    if (Math.abs(y - middle) > 20) continue;
    const away = Math.abs(x - placeOf(thingAt(address)));
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
    track.held = { address: near.address, x, offset: near.x - x };
    area.setPointerCapture(event.pointerId);
    area.classList.add("dragging");
    track.handles.get(near.address).focus({ preventScroll: true });
  });
  area.addEventListener("pointermove", (event) => {
    if (!event.isPrimary) return;
    if (!track.held) return area.classList.toggle("near", Boolean(handleNear(event)));
    const { address, offset } = track.held;
    const thing = thingAt(address);
    if (!thing) return;
    const x = event.clientX - area.getBoundingClientRect().left - offset;
    const end = axis.left + axis.width;
    // Beyond the end of the axis, it never comes.
    if (thing.latest == null && x > end + 14) {
      track.held.x = end;
      return move(address, null);
    }
    const time = Math.max(0, timeAt(Math.min(end, Math.max(axis.left, x))));
    const target = snapped(thing, time);
    track.held.x = Math.min(end, Math.max(xOf(thing.earliest), x));
    if (target === timeOf(thing)) return render();
    move(address, target);
  });
  const release = (event) => {
    if (!event.isPrimary || !track.held) return;
    track.held = null;
    area.classList.remove("dragging");
    render({ rescales: true });
  };
  area.addEventListener("pointerup", release);
  area.addEventListener("pointercancel", release);
}
