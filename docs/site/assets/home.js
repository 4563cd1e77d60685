// Plays the run of the home page where its picture stands. On phones, the link leads to the player's own
// page instead, which has more room there.
(() => {
  const button = document.querySelector(".run .play");
  if (!button) return;
  const theme = () =>
    document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";
  button.addEventListener("click", (event) => {
    button.search = `?play&theme=${theme()}`;
    const isOther = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (isOther || !matchMedia("(min-width: 60em)").matches) return;
    event.preventDefault();
    const run = button.closest(".run");
    const frame = document.createElement("iframe");
    frame.className = "player home";
    frame.title = "The player of this run";
    frame.allow = "fullscreen";
    frame.src = button.href;
    const tellTheme = () => frame.contentWindow.postMessage({ theme: theme() }, "*");
    frame.addEventListener("load", () => {
      new MutationObserver(tellTheme).observe(document.body, {
        attributeFilter: ["data-md-color-scheme"],
      });
      frame.focus();
    }, { once: true });
    run.replaceChildren(frame);
    run.parentElement.classList.add("playing");
    run.scrollIntoView({ block: "nearest" });
  });
})();
