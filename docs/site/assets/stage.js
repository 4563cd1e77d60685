// Connects a lesson with the stage in its frame. A page from disk can't reach into a frame, so it
// sends messages: the theme that the reader chose, the arrow keys, and the address to show.
(() => {
  const frame = document.querySelector("iframe.player");
  if (!frame) return;
  const tell = (message) => frame.contentWindow.postMessage(message, "*");
  // A phone shows links to the stage instead: a button at the top, and a still.
  const button = document.querySelector("a.play");
  const still = document.querySelector("a.player-still");

  const tellTheme = () => {
    const theme =
      document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";
    tell({ theme });
    for (const link of [button, still]) {
      const words = new URLSearchParams(link.search);
      words.set("theme", theme);
      link.search = words;
    }
  };
  tellTheme();
  let isLoaded = false;
  // The address to tell a frame that was still loading.
  let wanted = null;
  frame.addEventListener("load", () => {
    isLoaded = true;
    tellTheme();
    if (wanted !== null) tell({ address: wanted });
    wanted = null;
  });
  new MutationObserver(tellTheme).observe(document.body, {
    attributeFilter: ["data-md-color-scheme"],
  });

  // Where there's room for the frame, the button leads to it, and plays what can't be dragged.
  button.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (!matchMedia("(min-width: 60em) and (min-height: 31em)").matches) return;
    event.preventDefault();
    if (new URLSearchParams(button.search).has("play")) {
      frame.addEventListener("load", () => frame.focus(), { once: true });
      frame.src = button.href;
    }
    frame.focus();
    frame.scrollIntoView({ block: "nearest" });
  });

  // The arrow keys step as soon as the stage is in view, without a click into the frame. They
  // stay with any element that has the focus, such as the search or a pane that scrolls.
  let isInView = false;
  new IntersectionObserver(([entry]) => (isInView = entry.intersectionRatio >= 0.4), {
    threshold: [0, 0.4, 1],
  }).observe(frame);
  addEventListener("keydown", (event) => {
    const isArrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const isFree = !document.activeElement || document.activeElement === document.body;
    if (!isArrow || !isFree || !isInView || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    tell({ key: event.key, shiftKey: event.shiftKey });
  });

  // A link such as `retry-then-fallback.html#part=3&event=15` leads to that event. The anchors of a
  // page have no equals sign.
  const showEvent = () => {
    if (!location.hash.includes("=")) return;
    // A loaded frame gets a message. A loading frame gets both: an early navigation saves the reader
    // the sight of another moment, but the browser drops it while the stage writes its own address.
    if (isLoaded) tell({ address: location.hash });
    else {
      wanted = location.hash;
      // To set `src` could be one more step back, after that of the link itself.
      frame.contentWindow.location.replace(new URL(location.hash, frame.src));
    }
    for (const link of [button, still]) link.hash = location.hash;
    (frame.offsetParent ? frame : still).scrollIntoView({ block: "end" });
  };
  addEventListener("hashchange", showEvent);
  showEvent();
})();
