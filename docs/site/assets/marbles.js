// Marbles that a reader moves from slot to slot. The output isn't computed here: the page looks it
// up among the outcomes of all arrangements, which `run-marbles` got from the library.
(() => {
  const round = (number) => Math.round(number * 10) / 10;
  const escaped = (text) =>
    text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const element = (name, attributes = {}, ...children) => {
    const result = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) result.setAttribute(key, value);
    result.append(...children);
    return result;
  };

  /** All ways to choose slots for some marbles, in lexicographic order, as the tool makes them. */
  const choices = (count, slots, first = 0) =>
    count === 0
      ? [[]]
      : Array.from({ length: Math.max(0, slots - first) }, (_, i) => first + i).flatMap((slot) =>
          choices(count - 1, slots, slot + 1).map((rest) => [slot, ...rest]));

  /** The arrangements and outcomes of one diagram. */
  class Model {
    constructor(data, key) {
      this.data = data;
      // The name of an arrangement in the page's address.
      this.key = key;
      // A page with two diagrams has a name for the second.
      this.variant = key.split("-").slice(1).join(" ");
      // The items that can be moved: marbles, and an end, which has no text.
      const itemsOf = (input) => input.end ? [...input.marbles, null] : input.marbles;
      this.texts = data.inputs.flatMap(itemsOf);
      this.laneOf = data.inputs.flatMap((input, lane) => itemsOf(input).map(() => lane));
      // An end can stand behind the last slot.
      this.slotsOf = data.inputs.map((input) => data.slots + (input.end ? 1 : 0));
      // A marble that never comes out, such as one that ends a stream, isn't missed.
      this.comesOut = new Set(
        data.outcomes.flatMap((row) => row.values.flatMap(([, , , ...from]) => from)));
      this.places = data.inputs.map((input, lane) => {
        const items = itemsOf(input).length;
        const all = choices(items, this.slotsOf[lane]);
        return {
          items, count: all.length, number: new Map(all.map((slots, i) => [slots.join(), i])),
        };
      });
    }

    time(slot) {
      return (slot + 1) * this.data.slot;
    }

    outcome(slots) {
      let number = 0;
      let first = 0;
      this.places.forEach(({ items }, lane) => {
        const own = slots.slice(first, first + items);
        first += items;
        number = number * this.places[lane].count + this.places[lane].number.get(own.join());
      });
      const row = this.data.outcomes[this.data.runs[number]];
      return {
        end: row.end,
        fails: Boolean(row.fails),
        inners: row.inners ?? [],
        values: row.values.map(([text, time, trigger, ...from]) => ({ text, time, trigger, from })),
      };
    }

    /** The first and the last slot that a marble can be pushed to. */
    bounds(marble) {
      const lane = this.laneOf[marble];
      const before = this.laneOf.slice(0, marble).filter((other) => other === lane).length;
      const after = this.laneOf.slice(marble + 1).filter((other) => other === lane).length;
      return [before, this.slotsOf[lane] - 1 - after];
    }

    /** The end of a lane that can be moved, or -1. */
    endOf(lane) {
      return this.texts.findIndex((text, id) => text === null && this.laneOf[id] === lane);
    }

    /** The slots after a move. A marble pushes its neighbours along. */
    moved(slots, marble, slot) {
      const result = [...slots];
      const [low, high] = this.bounds(marble);
      result[marble] = Math.min(high, Math.max(low, slot));
      const isNeighbour = (other) => this.laneOf[other] === this.laneOf[marble];
      for (let i = marble + 1; i < result.length && isNeighbour(i); i++) {
        result[i] = Math.max(result[i], result[i - 1] + 1);
      }
      for (let i = marble - 1; i >= 0 && isNeighbour(i); i--) {
        result[i] = Math.min(result[i], result[i + 1] - 1);
      }
      return result;
    }

    /** The arrangement that an address names, if it's one. */
    read(hash) {
      const slots = hash.slice(`#${this.key}=`.length).split(",").map(Number);
      const isOne =
        hash.startsWith(`#${this.key}=`) && slots.length === this.texts.length &&
        slots.every((slot, i) =>
          Number.isInteger(slot) && slot >= 0 && slot < this.slotsOf[this.laneOf[i]] &&
          (i === 0 || this.laneOf[i] !== this.laneOf[i - 1] || slot > slots[i - 1]));
      return isOne ? slots : null;
    }

    reaches(goal, outcome) {
      const { values } = outcome;
      if (goal.endsBy) return outcome.end <= goal.endsBy && values.length >= (goal.count ?? 0);
      if (goal.at) return values.some((v) => v.text === goal.at.text && v.time === goal.at.time);
      if (goal.by) return values.length === goal.count && values.at(-1).time <= goal.by;
      if (goal.out) return goal.out.join() === outcome.values.map((value) => value.text).join();
      const used = new Set(outcome.values.flatMap((value) => value.from));
      return goal.drops.every((text) => this.texts.every((t, i) => t !== text || !used.has(i)));
    }

    /** The marbles that are in no value of the output, though they could be. */
    dropped(outcome) {
      const used = new Set(outcome.values.flatMap((value) => value.from));
      return this.texts.map((_, id) => id).filter((id) => this.comesOut.has(id) && !used.has(id));
    }

    /** What came out, as a sentence, and which marbles didn't. */
    words(outcome) {
      const values = outcome.values.map((value) => `${value.text} at ${value.time}`);
      const dropped = this.dropped(outcome).map((id) => this.texts[id]);
      const cancelled = outcome.inners.filter((inner) => inner.ending === "cancelled")
        .map((inner) => `${inner.name} at ${inner.end}`);
      const end = outcome.fails ? ` It fails at ${outcome.end} ms.`
        : outcome.end === this.data.end ? "" : ` It finishes at ${outcome.end} ms.`;
      return {
        out: values.length ? `Out: ${values.join(", ")} ms.${end}` : `Nothing comes out.${end}`,
        dropped: [
          dropped.length ? `Not in the output: ${dropped.join(", ")}.` : "",
          cancelled.length ? `Cancelled: ${cancelled.join(", ")} ms.` : "",
        ].filter(Boolean).join(" "),
      };
    }
  }

  /** Where things stand, for a width in pixels. */
  class Places {
    constructor(width, data) {
      this.width = Math.max(300, width);
      this.isWide = this.width >= 560;
      this.left = this.isWide ? 128 : 16;
      const longest = Math.max(data.end, ...data.outcomes.map((row) => row.end));
      this.scale = (this.width - this.left - 34) / longest;
      this.pitch = this.scale * data.slot;
      this.marble = Math.min(38, this.pitch - 2);
      const top = this.isWide ? 64 : 82;
      this.inputs = data.inputs.map((_, lane) => top + lane * (this.isWide ? 76 : 92));
      const bottom = top + data.inputs.length * (this.isWide ? 92 : 104) + 16;
      // Room for as many streams inside of the operator as any arrangement has.
      const most = Math.max(...data.outcomes.map((row) => row.inners?.length ?? 0));
      const pitch = this.isWide ? 46 : 62;
      this.inners = Array.from({ length: most }, (_, i) => bottom - 24 + i * pitch);
      this.output = bottom + most * pitch + (most ? 12 : 0);
      this.before = this.output + (this.isWide ? 46 : 58);
      this.height = this.before + 26;
    }

    x(time) {
      return this.left + time * this.scale;
    }
  }

  /**
   * Draws an arrangement, its outcome, and what it was before a move. A marble that's held stands
   * where the pointer is, and not in its slot.
   */
  const draw = (model, places, slots, outcome, before, held) => {
    const { data } = model;
    const xOf = (id) => (held?.id === id ? held.x : places.x(model.time(slots[id])));
    const parts = [];
    const names = [];
    const name = (text, y, kind = "name") =>
      names.push(
        places.isWide
          ? `<text class="${kind}" x="14" y="${y + 4}">${escaped(text)}</text>`
          : `<text class="${kind}" x="10" y="${y - (kind === "name" ? 28 : 16)}">${escaped(text)}</text>`);
    const step = places.pitch > 42 ? 2 : places.pitch > 26 ? 3 : 5;
    for (let slot = 0; slot <= data.slots + 1; slot += step) {
      const time = slot * data.slot;
      parts.push(
        `<text class="time" x="${round(places.x(time))}" y="18">${time}${slot ? "" : " ms"}</text>`);
    }
    const endSign = (x, y, fails, kind = "") => fails
      ? `<path class="fail ${kind}" d="M${x - 7} ${y - 7}l14 14m0-14l-14 14"/>`
      : `<path class="end ${kind}" d="M${x} ${y - 11}v22"/>`;
    // A marble would hide an end that's close to it.
    const behind = (end, values) => Math.max(places.x(end), ...values.map((value) =>
      places.x(value.time) + Math.max(places.marble, 8 * value.text.length + 10) / 2 + 5));
    const lane = (y, end, fails) => {
      parts.push(
        `<path class="life" d="M${places.left} ${y}H${round(end)}"/>`,
        `<path class="start" d="M${places.left} ${y - 7}l6 12h-12z"/>`,
        endSign(round(end), y, fails));
    };
    data.inputs.forEach((input, index) => {
      const y = places.inputs[index];
      for (let slot = 0; slot < model.slotsOf[index]; slot++) {
        parts.push(`<path class="slot" d="M${round(places.x(model.time(slot)))} ${y - 8}v16"/>`);
      }
      const item = model.endOf(index);
      const end = item < 0 ? places.x(data.end) : xOf(item);
      lane(y, end, input.end === "failure");
      // A frame shows that the end can be moved too.
      if (input.end) {
        const x = round(end);
        parts.push(
          `<rect class="hold" x="${x - 11}" y="${y - 18}" width="22" height="36" rx="10"/>`,
          endSign(x, y, input.end === "failure"));
      }
      name(input.name, y);
    });
    lane(places.output, behind(outcome.end, outcome.values), outcome.fails);
    name("output", places.output);

    // Arrows: solid from the marbles that a value is made of, dotted from what let it out.
    // Their casings lie below all of them.
    const arrows = [];
    const connect = (line, to, y, kind, tint) => {
      parts.push(`<path class="case" d="${line}"/>`);
      arrows.push(
        `<path class="${kind}" data-tint="${tint}" d="${line}"/>`,
        `<path class="head ${kind}" data-tint="${tint}" d="M${round(to)} ${y}l-4 -8h8z"/>`);
    };
    // The streams inside of the operator: each begins below the marble that it was made for, or
    // below the end that led to it.
    const isSameValue = (one, other) => one.text === other.text && one.time === other.time;
    const innerMarbles = [];
    const signs = [];
    outcome.inners.forEach((inner, index) => {
      const y = places.inners[index];
      const item = inner.marble ?? model.texts.findIndex(
        (text, id) => text === null && model.time(slots[id]) === inner.start);
      const start = places.x(inner.start);
      const end = behind(inner.ending ? inner.end : data.end, inner.values)
        + (inner.ending === "cancelled" ? 4 : 0);
      name(inner.name, y + (places.isWide ? 0 : 6));
      parts.push(
        `<path class="life" d="M${round(start)} ${y}H${round(end)}"/>`,
        `<path class="start" d="M${round(start)} ${y - 7}l6 12h-12z"/>`);
      if (inner.ending === "cancelled") {
        signs.push(
          `<rect class="cancel" x="${round(end - 6)}" y="${y - 6}" width="12" height="12"/>`,
          `<text class="cancel" x="${round(end + 11)}" y="${y + 4}">cancelled</text>`);
      } else if (inner.ending) {
        signs.push(endSign(round(end), y, inner.ending === "failed"));
      }
      if (item >= 0) {
        const [fromX, fromY] = [xOf(item), places.inputs[model.laneOf[item]] + 19];
        const track = places.inners[0] - 26 - 6 * (index % 3);
        connect(
          Math.abs(fromX - start) < 1 ? `M${round(start)} ${fromY}V${y - 9}`
            : `M${round(fromX)} ${fromY}V${track}H${round(start)}V${y - 9}`,
          start, y - 6, "trigger", "");
      }
      for (const value of inner.values) {
        const x = places.x(value.time);
        const from = outcome.values.find((one) => isSameValue(one, value))?.from ?? [];
        innerMarbles.push([x, y, value.text, from]);
        connect(`M${round(x)} ${y + 14}V${places.output - 24}`, x, places.output - 18, "from",
          from.length ? from.at(-1) % 6 : "");
      }
    });
    const isFromInner = (value) =>
      outcome.inners.some((inner) => inner.values.some((one) => isSameValue(one, value)));
    outcome.values.forEach((value, index) => {
      if (isFromInner(value)) return;
      const x = places.x(value.time);
      const arrow = (marble, kind, shift, number) => {
        const [fromX, fromY] = [xOf(marble), places.inputs[model.laneOf[marble]] + 19];
        const track = places.output - 32 - 6 * ((index + 2 * number) % 4);
        const to = x + shift;
        const line = Math.abs(fromX - to) < 1
          ? `M${round(to)} ${fromY}V${places.output - 24}`
          : `M${round(fromX)} ${fromY}V${track}H${round(to)}V${places.output - 24}`;
        connect(line, to, places.output - 18, kind, marble % 6);
      };
      const all = value.from;
      all.forEach((marble, i) => arrow(marble, "from", (i - (all.length - 1) / 2) * 8, i));
      if (value.trigger >= 0 && !all.includes(value.trigger)) arrow(value.trigger, "trigger", 12, 1);
      if (value.trigger === -1) {
        const [cx, cy] = [round(x + 15), places.output - 27];
        arrows.push(
          `<g class="clock"><circle cx="${cx}" cy="${cy}" r="6.5"/><path d="M${cx} ${cy - 4}v4h3"/></g>`);
      }
    });

    parts.push(...arrows, ...signs);

    const marble = (x, y, text, from, kind = "", height = 36) => {
      const width = Math.max(places.marble * (height / 36), 8 * text.length + 10);
      const tint = from.length ? from[from.length - 1] % 6 : "";
      const strip = from.map((id, i) => {
        const part = (width - 8) / from.length;
        return `<path class="notch" data-tint="${id % 6}" pathLength="12"`
          + ` d="M${round(x - width / 2 + 4 + i * part)} ${y + height / 2 - 7}h${round(part - 2)}"/>`;
      });
      return `<g class="marble ${kind}" data-tint="${tint}">`
        + `<rect x="${round(x - width / 2)}" y="${y - height / 2}" width="${round(width)}" height="${height}" rx="10"/>`
        + `<text x="${round(x)}" y="${y + (height < 36 ? 1 : 3)}">${escaped(text)}</text>${kind === "ghost" ? "" : strip.join("")}</g>`;
    };
    if (before) {
      name("before", places.before, "remark");
      for (const value of before.values) {
        parts.push(marble(places.x(value.time), places.before, value.text, value.from, "ghost"));
      }
      parts.push(endSign(round(places.x(before.end)), places.before, before.fails, "ghost"));
    }
    for (const [x, y, text, from] of innerMarbles) {
      parts.push(marble(x, y, text, from, "", 28));
    }
    const dropped = new Set(model.dropped(outcome));
    // The one that's held lies above its neighbours.
    const order = slots.map((_, id) => id).sort((a, b) => (a === held?.id) - (b === held?.id));
    for (const id of order) {
      if (model.texts[id] !== null) parts.push(marble(
        xOf(id), places.inputs[model.laneOf[id]], model.texts[id], [id],
        dropped.has(id) ? "dropped" : ""));
    }
    for (const value of outcome.values) {
      parts.push(marble(places.x(value.time), places.output, value.text, value.from));
    }
    return `<svg viewBox="0 0 ${places.width} ${places.height}" aria-hidden="true">`
      + `${parts.join("")}${names.join("")}</svg>`;
  };

  /** The texts of the goals that a reader has reached, now or on an earlier visit. */
  const readGoals = (name) => {
    try {
      const texts = JSON.parse(localStorage.getItem(name));
      return Array.isArray(texts) ? texts : [];
    } catch {
      // The browser keeps nothing for this page, or something else.
      return [];
    }
  };
  const writeGoals = (name, texts) => {
    try {
      localStorage.setItem(name, JSON.stringify([...texts]));
    } catch {}
  };

  /** Copies a text. Pages that come neither from disk nor over HTTPS only have the old way. */
  const copy = async (text, root) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = element("textarea", { readonly: "", class: "spoken" });
      field.value = text;
      root.append(field);
      field.select();
      const isCopied = document.execCommand("copy");
      field.remove();
      return isCopied;
    }
  };

  const start = (root) => {
    const model = new Model(
      JSON.parse(root.querySelector("script").textContent), root.dataset.key);
    const { data } = model;
    let slots = model.read(location.hash) ?? [...data.start];
    let outcome = model.outcome(slots);
    let before = null;
    let places = new Places(0, data);
    // The marble that a pointer holds, and where.
    let held = null;
    const storage = `marbles ${data.page} ${root.dataset.key}`;
    const reached = new Set(readGoals(storage));

    const names = data.inputs.map((input) => input.name).join(" and ");
    const stage = element("div", {
      class: "stage", role: "group",
      "aria-label": `Marbles of ${names}${model.variant ? `, ${model.variant}` : ""}`,
    });
    const picture = element("div");
    const out = element("p");
    const dropped = element("p", { class: "dropped" });
    const live = element("p", { class: "spoken", role: "status" });
    const goals = data.goals.map((goal) =>
      element("li", {}, element("span", { class: "mark", "aria-hidden": "true" }),
        element("span", {}, goal.text), element("span", { class: "spoken" }, " (not reached yet)")));
    const reset = element("button", { type: "button", class: "md-button" }, "Start again");
    const share = element("button", { type: "button", class: "md-button" }, "Copy a link to this");
    const shared = element("p", { class: "remark" });
    const hasEnd = data.inputs.some((input) => input.end);
    const how = element("p", {}, `Drag the marbles${hasEnd ? " and the end" : ""}, or choose one with`
      + " the tab key and move it with the arrow keys.");
    const help = element("p", { hidden: "", id: `${model.key}-help` },
      `Arrow keys move by ${data.slot} milliseconds, Page Up and Page Down by ${3 * data.slot}, `
      + `Home and End as far as it goes. A marble${hasEnd ? " or an end" : ""} pushes its neighbours `
      + "along. Goals are listed below.");
    stage.append(picture);
    root.append(
      how, stage, out, dropped, element("p", { class: "goals-title" }, "Goals"),
      element("ul", { class: "goals" }, ...goals),
      element("p", { class: "remark" },
        `Every position was run: ${data.runs.length.toLocaleString("en")} runs of the library, in virtual time.`),
      reset, share, shared, help, live);
    if (!goals.length) root.querySelectorAll(".goals, .goals-title").forEach((part) => part.remove());
    root.classList.add("is-ready");

    // What a screen reader speaks, a moment after the last move. It says nothing for a text that
    // it has said, so the text goes away in between.
    let speaking = 0;
    let spoken = { slots: [...slots], result: null };
    let fresh = [];
    const tell = (moved) => {
      const words = model.words(outcome);
      out.textContent = words.out;
      dropped.textContent = words.dropped;
      data.goals.forEach((goal, i) => {
        if (model.reaches(goal, outcome)) {
          if (!reached.has(goal.text)) fresh.push(`Goal reached: ${goal.text}`);
          reached.add(goal.text);
          // A link that someone sent reaches it only for as long as the page is open.
          if (moved != null) writeGoals(storage, new Set([...readGoals(storage), goal.text]));
        }
        goals[i].classList.toggle("is-reached", reached.has(goal.text));
        goals[i].lastChild.textContent =
          reached.has(goal.text) ? " (reached)" : " (not reached yet)";
      });
      const result = [words.out, words.dropped].filter(Boolean).join(" ");
      spoken.result ??= result;
      live.textContent = "";
      clearTimeout(speaking);
      if (moved === undefined) return;
      if (moved === null) spoken.slots = [...slots];
      speaking = setTimeout(() => {
        const pushed = slots.flatMap((slot, id) =>
          id === moved || slot === spoken.slots[id] ? []
            : `${model.texts[id] ?? "the end"} to ${model.time(slot)}`);
        live.textContent = [
          ...fresh, result === spoken.result ? "The output is the same." : result,
          ...(pushed.length ? [`Pushed: ${pushed.join(", ")}.`] : []),
        ].join(" ");
        spoken = { slots: [...slots], result };
        fresh = [];
      }, 250);
    };
    const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    const show = () => {
      picture.innerHTML = draw(
        model, places, slots, outcome, before && !isSame(before, outcome) ? before : null, held);
      grips.forEach((grip, id) => {
        const [low, high] = model.bounds(id);
        const width = Math.max(24, places.marble);
        const x = held?.id === id ? held.x : places.x(model.time(slots[id]));
        grip.style.left = `${x - width / 2}px`;
        grip.style.top = `${places.inputs[model.laneOf[id]] - 20}px`;
        grip.style.width = `${width}px`;
        grip.setAttribute("aria-valuemin", model.time(low));
        grip.setAttribute("aria-valuemax", model.time(high));
        grip.setAttribute("aria-valuenow", model.time(slots[id]));
        grip.setAttribute("aria-valuetext", `${model.time(slots[id])} milliseconds`);
      });
    };
    const address = () => `#${model.key}=${slots.join()}`;
    // Browsers refuse more than a few changes of the address a second.
    let writing = 0;
    const writeAddress = () => {
      clearTimeout(writing);
      writing = setTimeout(() => history.replaceState(null, "", address()), 80);
    };
    // `moved` is the marble that a reader moves, if it's one.
    const set = (next, from, moved = null) => {
      if (isSame(next, slots)) return;
      before = from;
      slots = next;
      outcome = model.outcome(slots);
      shared.textContent = "";
      writeAddress();
      tell(moved);
      show();
    };

    // Each marble is a slider: with a focus, keys, and a value that's spoken.
    const grips = slots.map((_, id) => {
      const input = data.inputs[model.laneOf[id]];
      const text = model.texts[id];
      const grip = element("div", {
        class: text === null ? "grip of-end" : "grip", tabindex: "0", role: "slider",
        "aria-orientation": "horizontal",
        "aria-label": text === null ? `The ${input.end} of ${input.name}`
          : `Marble ${text}, ${model.bounds(id)[0] + 1} of ${input.marbles.length} in ${input.name}`,
      });
      // Once is enough.
      if (id === 0) grip.setAttribute("aria-describedby", help.id);
      grip.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const [low, high] = model.bounds(id);
        const target = {
          ArrowLeft: slots[id] - 1, ArrowDown: slots[id] - 1, ArrowRight: slots[id] + 1,
          ArrowUp: slots[id] + 1, PageDown: slots[id] - 3, PageUp: slots[id] + 3, Home: low,
          End: high,
        }[event.key];
        if (target === undefined) return;
        event.preventDefault();
        set(model.moved(slots, id, target), outcome, id);
      });
      stage.append(grip);
      return grip;
    });

    // A pointer takes the nearest marble of the lane, so that a narrow one is easy to hit. A drag
    // counts from where it began, so pushed marbles come back.
    const nearest = (event) => {
      const box = stage.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      let [best, distance] = [-1, 34];
      slots.forEach((slot, id) => {
        if (Math.abs(y - places.inputs[model.laneOf[id]]) > 30) return;
        const away = Math.abs(x - places.x(model.time(slot)));
        if (away < distance) [best, distance] = [id, away];
      });
      return best;
    };
    stage.addEventListener("pointerdown", (event) => {
      // A second finger doesn't take another marble.
      const id = event.button || !event.isPrimary ? -1 : nearest(event);
      if (id < 0) return;
      event.preventDefault();
      const mark = places.x(model.time(slots[id]));
      const pointer = event.clientX - stage.getBoundingClientRect().left;
      held = { id, x: mark, offset: pointer - mark, slots: [...slots], outcome };
      stage.setPointerCapture(event.pointerId);
      stage.classList.add("is-dragged");
      grips[id].focus({ preventScroll: true });
    });
    stage.addEventListener("pointermove", (event) => {
      if (!event.isPrimary) return;
      if (!stage.classList.contains("is-dragged")) {
        return stage.classList.toggle("is-near", nearest(event) >= 0);
      }
      const { id, offset } = held;
      const x = event.clientX - stage.getBoundingClientRect().left - offset;
      const [low, high] = model.bounds(id).map((slot) => places.x(model.time(slot)));
      held.x = Math.min(high, Math.max(low, x));
      const slot = Math.round((held.x - places.left) / places.pitch) - 1;
      set(model.moved(held.slots, id, slot), held.outcome, id);
      show();
    });
    // Let go, a marble snaps to its slot.
    const settle = (event) => {
      if (!event.isPrimary || !stage.classList.contains("is-dragged")) return;
      stage.classList.remove("is-dragged");
      const mine = held;
      const { id, x } = mine;
      const way = places.x(model.time(slots[id])) - x;
      const began = performance.now();
      const length = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 120;
      const move = () => {
        // A marble may be taken again while it settles.
        if (held !== mine) return;
        const part = length ? Math.min(1, (performance.now() - began) / length) : 1;
        if (part < 1) requestAnimationFrame(move);
        else held = null;
        mine.x = x + way * part * (2 - part);
        show();
      };
      move();
    };
    stage.addEventListener("pointerup", settle);
    stage.addEventListener("pointercancel", settle);
    reset.addEventListener("click", () => set([...data.start], outcome));
    share.addEventListener("click", async () => {
      const link = location.href.split("#")[0] + address();
      const isCopied = await copy(link, root);
      shared.textContent = isCopied ? "The link is in the clipboard." : `Copy it here: ${link}`;
      live.textContent = shared.textContent;
    });
    const resize = () => {
      places = new Places(stage.clientWidth, data);
      show();
    };
    // The browser finds no heading for such an address, so the page scrolls itself.
    const goTo = () => root.scrollIntoView({ block: "start" });
    addEventListener("hashchange", () => {
      const named = model.read(location.hash);
      if (!named) return;
      set(named, null);
      goTo();
    });
    tell();
    resize();
    new ResizeObserver(resize).observe(stage);
    if (model.read(location.hash)) goTo();
  };

  for (const root of document.querySelectorAll(".movable")) start(root);
})();
