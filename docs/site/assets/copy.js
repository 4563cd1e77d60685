// The button "Copy" copies the commands of a terminal session, without the prompt and the output.
(() => {
  const commands = (code) =>
    [...code.innerText.matchAll(/^\$ (.*?)( {2,}#.*)?$/gm)].map(([, command]) => command);

  const setText = (button) => {
    const code = button.closest("pre, .highlight")?.querySelector("code");
    const found = code ? commands(code) : [];
    if (found.length) button.dataset.clipboardText = found.join("\n");
  };

  // The theme makes a button when its code comes into view.
  new MutationObserver(() => {
    for (const button of document.querySelectorAll(
      "[data-clipboard-target]:not([data-clipboard-text])"
    )) {
      setText(button);
      // It needs no landmark of its own.
      button.closest("nav")?.setAttribute("role", "none");
    }
  }).observe(document.body, { childList: true, subtree: true });
})();
