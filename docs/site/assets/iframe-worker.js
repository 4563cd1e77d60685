// The search runs in a worker, which browsers refuse to pages from disk. There, a hidden frame does
// the work. The file's name tells the generator that it doesn't need a copy from the network.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      this.#frame.title = "Search";
      document.body.append(this.#frame);
      const inner = this.#frame.contentWindow;
      const load = (address) =>
        new Promise((resolve, reject) => {
          const script = inner.document.createElement("script");
          script.src = new URL(address, document.baseURI);
          script.onload = resolve;
          script.onerror = () => reject(new Error(`can't load ${address}`));
          inner.document.head.append(script);
        });
      inner.importScripts = (...addresses) => Promise.all(addresses.map(load));
      inner.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        this.onmessage?.(message);
      };
      this.#ready = load(url);
    }

    postMessage(data) {
      const inner = this.#frame.contentWindow;
      this.#ready.then(() => inner.dispatchEvent(new inner.MessageEvent("message", { data })));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
