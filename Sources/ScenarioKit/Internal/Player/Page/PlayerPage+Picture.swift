extension PlayerPage {
  /// The picture with its playhead.
  static let pictureScript = #"""
    const sideElements = Object.fromEntries(["a", "b"].map((name) => {
      const root = document.querySelector(".side." + name);
      const now = make("dl");
      const log = make("ol");
      const picture = make("div", { class: "scrolls", role: "region", tabindex: 0,
        "aria-label": "Picture" });
      const title = make("h2", { class: "run-name" });
      root.append(
        make("section", { class: "card picture" }, title, picture),
        make("section", { class: "card now" }, make("h2", { hidden: true }, "Now"), now),
        make("section", { class: "card log" }, make("h2", {}, "Transcript"),
          make("div", { class: "scrolls", role: "region", tabindex: 0, "aria-label": "Transcript" },
            log)));
      return [name, { root, title, picture, now, log, part: null }];
    }));

    /** Puts a part's picture into its pane. */
    function showPart(part, side) {
      side.part = part;
      side.title.textContent = part.name;
      side.picture.innerHTML = placeholder(part);
      for (const mark of side.picture.querySelectorAll("g[data-x]")) {
        const number = Number(mark.id.slice(part.prefix.length + 1));
        mark.addEventListener("click", () =>
          go(part.events.find((event) => event.number === number)));
      }
    }

    function placeholder(part) {
      const lanes = [...new Set(part.events.map((event) => event.lane))];
      const width = 140 + part.events.length * 22;
      const marks = part.events.map((event, index) => {
        const x = 140 + index * 22;
        const y = 30 + lanes.indexOf(event.lane) * 34;
        return `<g id="${part.prefix}e${event.number}" data-x="${x}" data-row="0">`
          + `<circle cx="${x}" cy="${y}" r="7" fill="currentColor"/></g>`;
      });
      const names = lanes.map((lane, index) =>
        `<text x="8" y="${34 + index * 34}" fill="currentColor">${lane}</text>`);
      const height = 40 + lanes.length * 34;
      return `<svg role="img" aria-label="${lanes.length} lanes" width="${width}" `
        + `height="${height}" viewBox="0 0 ${width} ${height}">${names.join("")}${marks.join("")}`
        + `<path class="playhead" d="M0 8V${height - 8}"/></svg>`;
    }

    /** Fades what comes later, and moves the playhead. */
    function markPicture(part, side) {
      const last = lastEvent(part);
      for (const event of part.events) {
        const mark = byId(part.prefix + "e" + event.number);
        if (!mark) continue;
        mark.classList.toggle("later", before(shown.moment, event));
        mark.classList.toggle("now", same(event, shown.moment));
      }
      const mark = last && byId(part.prefix + "e" + last.number);
      const head = side.picture.querySelector(".playhead");
      if (head) head.style.transform = `translateX(${mark ? mark.dataset.x : 0}px)`;
      if (mark) keepInSight(side.picture, Number(mark.dataset.x));
    }

    function keepInSight(pane, x) {
      const margin = Math.min(80, pane.clientWidth / 4);
      if (x < pane.scrollLeft + margin || x > pane.scrollLeft + pane.clientWidth - margin) {
        pane.scrollLeft = x - pane.clientWidth / 2;
      }
    }
    """#
}
