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
    Object.assign(this, { address, onHello, onState, waiting: new Map() });
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
