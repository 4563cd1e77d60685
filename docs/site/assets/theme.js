// Tells the player which theme the reader chose. A page from disk can't reach into its frames.
(() => {
  const scheme = () =>
    document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";
  const tell = (frame) => frame.contentWindow.postMessage({ colorScheme: scheme() }, "*");
  const frames = () => document.querySelectorAll("iframe.player");
  const tellAll = () => frames().forEach(tell);
  frames().forEach((frame) => frame.addEventListener("load", () => tell(frame)));
  new MutationObserver(tellAll).observe(document.body, {
    attributeFilter: ["data-md-color-scheme"],
  });
})();
