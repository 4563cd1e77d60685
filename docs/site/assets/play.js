// Leads to the stage of a run: on the home page where its picture stands, and in a lesson in its frame.
// On phones, the button leads to the stage's own page instead, which has more room there.
(() => {
  const button = document.querySelector(".md-content .play");
  if (!button) return;
  const theme = () =>
    document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";

  /** The stage of a lesson, or one in the place of the home page's picture. */
  function player() {
    const shown = document.querySelector("iframe.player");
    if (shown) return shown;
    const frame = document.createElement("iframe");
    frame.className = "player home";
    frame.title = "This run on stage";
    frame.allow = "fullscreen";
    const tellTheme = () => frame.contentWindow.postMessage({ theme: theme() }, "*");
    frame.addEventListener("load", () => {
      new MutationObserver(tellTheme).observe(document.body, {
        attributeFilter: ["data-md-color-scheme"],
      });
    }, { once: true });
    const run = button.closest(".run");
    run.replaceChildren(frame);
    run.parentElement.classList.add("playing");
    return frame;
  }

  button.addEventListener("click", (event) => {
    const words = new URLSearchParams(button.search);
    words.set("theme", theme());
    button.search = words;
    const isOther = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    const isWide = matchMedia("(min-width: 60em) and (min-height: 31em)").matches;
    if (isOther || !isWide) return;
    event.preventDefault();
    const frame = player();
    if (words.has("play")) {
      frame.addEventListener("load", () => frame.focus(), { once: true });
      frame.src = button.href;
    }
    frame.focus();
    (frame.closest(".run") ?? frame).scrollIntoView({ block: "nearest" });
  });
})();
