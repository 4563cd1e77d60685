// Where runs come from: a program that answers over a WebSocket, or a table in this page.

/** Asks for runs, one at a time. Of those that are asked for meanwhile, only the last one runs. */
class Runs {
  constructor(answer) {
    this.answer = answer;
    this.isBusy = false;
    this.next = null;
  }

  /** Asks for a run, and calls back with it, unless another one is asked for meanwhile. */
  ask(variation, receive) {
    this.next = { variation, receive };
    if (!this.isBusy) this.goOn();
  }

  async goOn() {
    this.isBusy = true;
    while (this.next) {
      const { variation, receive } = this.next;
      this.next = null;
      try {
        const run = await this.answer(variation);
        if (!this.next) receive(run);
      } catch (error) {
        // If it was given up, the reason is shown already.
        if (error && !this.next) showProblem("run", error.message);
      }
    }
    this.isBusy = false;
  }
}

/** A live program, behind the server of `make play`. */
class LiveSource {
  constructor(address, { onHello, onState }) {
    Object.assign(this, { address, onHello, onState, isLive: true, waiting: new Map() });
    // Several pages may be open, and each hears all answers.
    this.count = Math.floor(Math.random() * 2 ** 40) * 1000;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(this.address);
    this.socket.addEventListener("message", ({ data }) => this.receive(JSON.parse(data)));
    this.socket.addEventListener("close", () => {
      this.giveUp();
      this.onState({ state: "gone" });
      setTimeout(() => this.connect(), 1000);
    });
  }

  receive(message) {
    if (message.state) return this.onState(message);
    if (message.parts) {
      this.giveUp();
      return this.onHello(message);
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error));
    else waiting.resolve(message);
  }

  /** Gives up what was asked for, because the program has ended. */
  giveUp() {
    for (const { reject } of this.waiting.values()) reject(null);
    this.waiting.clear();
  }

  answer(variation) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, ...variation }));
    });
  }
}

/** The table in an element. A site compresses those of its pages. */
async function readTable({ textContent, dataset }) {
  if (dataset.encoding !== "deflate") return JSON.parse(textContent);
  const bytes = Uint8Array.from(atob(textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/**
 * The runs of a table in the page. Each was made in advance, and nothing is computed here: a time of
 * a run is in the table, or stands at a distance from a thing that was moved.
 */
class TableSource {
  constructor(element, { onHello }) {
    readTable(element).then((table) => {
      this.table = table;
      const { program, part, flags, variants } = table;
      const isHere = (title, index) => variants.some((variant) => variant.part === index + 1);
      const parts = program.parts.map((title, index) => isHere(title, index) ? title : null);
      onHello({ ...program, parts, opening: { part, flags } });
    });
  }

  variant({ part, flags }) {
    const names = [...flags].sort().join();
    return this.table.variants.find((variant) =>
      variant.part === part && variant.flags.join() === names);
  }

  async answer(variation) {
    const variant = this.variant(variation);
    if (variation.wants === "endings") return { endings: variant?.endings ?? [] };
    const run = variant && this.find(variant, variation);
    if (!run) throw new Error(this.refusal(variation));
    return { run, files: variation.files ? null : this.table.files };
  }

  /** Why the table doesn't have a run; `null` if it does. */
  refusal(variation) {
    const variant = this.variant(variation);
    if (variant && this.find(variant, variation)) return null;
    return "This page doesn't have this run, so it shows the usual one. With make play "
      + `SCENARIO=${this.table.program.scenario}, you get each run.`;
  }

  /** The times that a thing can be at, or `null` if it can't be moved here. */
  timesOf(address, choice) {
    const group = this.groupOf(this.variant(choice), address);
    return group ? group.times[group.addresses.indexOf(address)] : null;
  }

  groupOf(variant, address) {
    return variant?.groups.find((group) => group.addresses.includes(address));
  }

  /** The arrangements of a group in the order of the table: the times of its things in each. */
  arrangementsOf(group) {
    const isAllowed = (order, row, time) => !order || time == null || row[order.thing] == null
      || time >= row[order.thing] + order.distance;
    group.all ??= group.times.reduce((rows, times, index) =>
      rows.flatMap((row) => times.filter((time) => isAllowed(group.orders[index], row, time))
        .map((time) => [...row, time])), [[]]);
    return group.all;
  }

  /** The times of a group's things with some moves. */
  timesWith(moves, group, variant) {
    return group.addresses.map((address) =>
      moves.has(address) ? moves.get(address) : this.usualTime(variant, address));
  }

  /**
   * The times of all things in the arrangement that has one nearest to a time. Of several such
   * arrangements, that's the one in which the others are moved least.
   */
  arrange(choice, address, time) {
    const variant = this.variant(choice);
    const group = this.groupOf(variant, address);
    const own = group.addresses.indexOf(address);
    const now = this.timesWith(choice.moves, group, variant);
    const away = (one, other) => Math.abs((one ?? 1e15) - (other ?? 1e15));
    const least = (rows, distance) => rows.reduce((best, row) => {
      const mine = distance(row);
      return best && best.mine <= mine ? best : { row, mine };
    }, null).row;
    const all = this.arrangementsOf(group);
    const nearest = least(all, (row) => away(row[own], time))[own];
    const row = least(all.filter((row) => row[own] === nearest), (row) =>
      row.reduce((sum, other, index) => sum + away(other, now[index]), 0));
    return new Map(row.map((other, index) => [group.addresses[index], other]));
  }

  find(variant, { moves, fault, schedule }) {
    const isThis = (single) => (single.fault ?? null) === fault
      && (single.schedule ?? null) === schedule && single.moves.join("\n") === moves.join("\n");
    const single = variant.singles.find(isThis);
    if (single) return this.run(single.shape, single.times);
    if (fault || schedule) return null;
    const moved = new Map(moves.map(readMove));
    const group = variant.groups.find(({ addresses }) =>
      [...moved.keys()].every((address) => addresses.includes(address)));
    if (!group) return null;
    const times = this.timesWith(moved, group, variant);
    group.cells ??= new Map(this.arrangementsOf(group).map((row, cell) => [row.join(), cell]));
    const cell = group.cells.get(times.join());
    if (cell == null) return null;
    const shape = group.shapes[cell];
    // The arrangements of the same shape before this one.
    const number = () => group.shapes.slice(0, cell).filter((other) => other === shape).length;
    const all = group.columns[shape].map((column) =>
      typeof column === "number" ? column
        : column.length === 2 ? times[column[0]] + column[1] : column[0][number()]);
    return this.run(shape, all);
  }

  usualTime(variant, address) {
    const { things } = this.run(variant.singles[0].shape, variant.singles[0].times);
    return things.find((thing) => thing.address === address)?.time ?? null;
  }

  /** A run of a shape, with times in the order in which the table took them out. */
  run(number, times) {
    const { instants, events, waits, things, texts } = this.table;
    const shape = this.table.shapes[number];
    const rest = times[Symbol.iterator]();
    const next = () => rest.next().value;
    const timed = (value, ...names) => {
      const result = { ...value };
      for (const name of names) if (value[name] != null) result[name] = next();
      return result;
    };
    let now = 0;
    return {
      end: next(),
      events: shape[0].flatMap((index) => instants[index]).map((index) => {
        now = events[index].joins ? now : next();
        const event = { ...events[index], nanoseconds: now };
        event.pending &&= event.pending.map((work) => timed(work, "due"));
        event.requests &&= event.requests.map((request) => timed(request, "since"));
        return event;
      }),
      waits: shape[1].map((index) => timed(waits[index], "start", "end")),
      things: shape[2].map((index) => timed(things[index], "time", "earliest", "latest")),
      outcome: shape[3].map((index) => texts[index]),
      problems: shape[4].map((index) => texts[index]),
    };
  }
}
