// Lets the site's switch decide whether the player is light or dark. Its styles ask the system.
(() => {
  const media = (rules) =>
    [...rules].flatMap((rule) =>
      rule instanceof CSSMediaRule
        ? [{ media: rule.media, asked: rule.media.mediaText }, ...media(rule.cssRules)]
        : []);
  const queries = [...document.styleSheets].flatMap((sheet) => media(sheet.cssRules));
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || !["light", "dark"].includes(data?.colorScheme)) return;
    document.documentElement.style.colorScheme = data.colorScheme;
    for (const { media, asked } of queries) {
      media.mediaText = asked.replace(
        /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/g,
        (_, scheme) => (scheme === data.colorScheme ? "(min-width: 0px)" : "(max-width: 0px)"));
    }
  });
})();
