// The stage on the home page, as high as it needs to be, and in the theme that the reader chose.
(() => {
  const frame = document.querySelector("iframe.home");
  if (!frame) return;
  const theme = () =>
    document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";
  addEventListener("message", ({ data, source }) => {
    if (source !== frame.contentWindow || typeof data?.height !== "number") return;
    frame.style.height = `${Math.ceil(data.height)}px`;
  });
  frame.src = frame.dataset.src.replace("?brief", `?brief&theme=${theme()}`);
  frame.hidden = false;
  new MutationObserver(() => frame.contentWindow.postMessage({ theme: theme() }, "*"))
    .observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
})();
