// The stages on pages, without their code: as high as they need to be, in the theme that the reader
// chose, and with goals that a reader reaches by moving something.
(() => {
  const theme = () =>
    document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";

  /** Whether all that a goal asks for is there: the output, its values, or when they come. */
  const isReached = (goal, outcome) => {
    const values = outcome.filter(({ kind }) => kind === "value");
    const end = outcome.find(({ kind }) => kind !== "value")?.time ?? Infinity;
    return values.length >= (goal.count ?? 0) && end <= (goal.endsBy ?? Infinity)
      && (!goal.out || goal.out.join() === values.map(({ text }) => text).join())
      && (!goal.without || !values.some(({ text }) => text.includes(goal.without)))
      && (!goal.at || values.some(({ text, time }) => text === goal.value && time === goal.at))
      && (!goal.by || values.at(-1)?.time <= goal.by);
  };

  /** What came out, as a sentence. */
  const inWords = (outcome) => {
    const values = outcome.filter(({ kind }) => kind === "value")
      .map(({ text, time }) => `${text} at ${time}`);
    const end = outcome.find(({ kind }) => kind !== "value");
    const words = end && `It ${end.kind === "failure" ? "fails" : "finishes"} at ${end.time} ms.`;
    return [values.length ? `Out: ${values.join(", ")} ms.` : "Nothing comes out.", words]
      .filter(Boolean).join(" ");
  };

  /** Shows what came out, and which goals that reaches. */
  const watchGoals = (section) => {
    const goals = [...section.querySelectorAll("[data-goal]")]
      .map((item) => ({ item, ...JSON.parse(item.dataset.goal) }));
    const said = section.querySelector("[role=status]");
    const link = section.querySelector(".whole a");
    const address = link.href;
    let timer = 0;
    let fresh = [];
    let last = "";
    return ({ moves, outcome }) => {
      const words = new URLSearchParams(moves.map((move) => ["move", move]));
      link.href = moves.length ? `${address}#${words}` : address;
      for (const goal of goals) {
        if (goal.item.classList.contains("is-reached") || !isReached(goal, outcome)) continue;
        goal.item.classList.add("is-reached");
        fresh.push(`Goal reached: ${goal.text}`);
      }
      // A screen reader speaks it, so it waits for the last of several moves.
      clearTimeout(timer);
      timer = setTimeout(() => {
        const words = inWords(outcome);
        if (words !== last || fresh.length) said.textContent = [words, ...fresh].join(" ");
        [last, fresh] = [words, []];
      }, 250);
    };
  };

  for (const frame of document.querySelectorAll("iframe.brief")) {
    const section = frame.closest(".marbles");
    const tell = section && watchGoals(section);
    addEventListener("message", ({ data, source }) => {
      if (source !== frame.contentWindow || typeof data?.height !== "number") return;
      frame.style.height = `${Math.ceil(data.height)}px`;
      tell?.(data);
    });
    frame.src = frame.dataset.src.replace("?brief", `?brief&theme=${theme()}`);
    (section ?? frame).hidden = false;
    new MutationObserver(() => frame.contentWindow.postMessage({ theme: theme() }, "*"))
      .observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  }
})();
