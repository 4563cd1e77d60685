// What the theme leaves out for keyboards and screen readers: the links of notes have no names, because
// their numbers are drawn by the style, and lines that are too long scroll only with a pointer.
(() => {
  const setFocusable = (code) => {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
    else if (code.hasAttribute("tabindex")) code.removeAttribute("tabindex");
  };
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => setFocusable(target)));
  // The theme takes it away where it sees no mouse, but a tablet may have a keyboard.
  const changes = new MutationObserver((records) => records.forEach(({ target }) => {
    if (!target.hasAttribute("tabindex")) setFocusable(target);
  }));
  for (const code of document.querySelectorAll("pre > code")) {
    sizes.observe(code);
    changes.observe(code, { attributeFilter: ["tabindex"] });
  }

  const name = () => {
    for (const link of document.querySelectorAll(".md-annotation__index:not([aria-label])")) {
      const number = link.querySelector("[data-md-annotation-id]")?.dataset.mdAnnotationId;
      if (number) link.setAttribute("aria-label", `Note ${number}`);
    }
  };
  // The theme makes them when it has seen the code.
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
  name();
})();
