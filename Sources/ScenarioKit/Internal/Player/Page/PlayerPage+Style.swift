extension PlayerPage {
  /// The look of the page, in light and in dark.
  static let style = #"""
    :root {
      color-scheme: light dark;
      --page: light-dark(#f6f8fb, #0a0d12); --card: light-dark(#ffffff, #0d1117);
      --well: light-dark(#f3f6fa, #151b23); --ink: light-dark(#1f2328, #e6edf3);
      --soft: light-dark(#59636e, #9ea7b3); --edge: light-dark(#d0d7de, #30363d);
      --accent: light-dark(#0a66b0, #6cb8ff); --mark: light-dark(#fff3c4, #3a3000);
      --on-accent: light-dark(#ffffff, #06121f);
      --keyword: light-dark(#a2277f, #f08fd0); --string: light-dark(#a8320c, #ffa28b);
      --type: light-dark(#3d4fb5, #a9b8ff); --comment: light-dark(#4f6252, #93b199);
      --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    }
    :root[data-theme="light"] { color-scheme: light; }
    :root[data-theme="dark"] { color-scheme: dark; }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body {
      margin: 0; background: var(--page); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
    }
    main { max-width: 1240px; margin: 0 auto; padding: 20px; display: grid; gap: 14px; }
    main > *, .panes > *, .side > * { min-width: 0; }
    p, h1, h2, dl, dd, ol, ul { margin: 0; padding: 0; }
    ol, ul { list-style: none; }
    h1 { font-size: 22px; line-height: 1.3; font-weight: 650; text-wrap: balance; }
    h2 { font-size: 13px; font-weight: 600; color: var(--soft); }
    .card {
      background: var(--card); border: 1px solid var(--edge); border-radius: 10px;
      padding: 12px 14px;
    }
    .hidden {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap;
    }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

    header { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 24px; }
    #scenario { font: 600 13px var(--mono); color: var(--accent); grid-column: 1; }
    h1 { grid-column: 1; }
    .choices {
      grid-column: 2; grid-row: 1 / 3; display: flex; gap: 8px 14px; flex-wrap: wrap;
      align-items: end; justify-content: end; min-width: 0;
    }
    .choices label { display: grid; font-size: 13px; color: var(--soft); min-width: 0; }
    select, button {
      font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--edge);
      border-radius: 8px; min-height: 44px; min-width: 44px; padding: 0 10px; max-width: 100%;
    }
    select { font-size: 15px; text-overflow: ellipsis; }
    button { cursor: pointer; }
    button:hover:not(:disabled), select:hover { border-color: var(--accent); }
    button:disabled { color: var(--soft); cursor: default; opacity: .45; }

    .current {
      display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 4px 16px;
      align-items: center; border-left: 5px solid var(--accent); min-height: 92px;
    }
    #clock {
      font: 600 21px var(--mono); color: var(--accent); min-width: 5.2em; white-space: nowrap;
      font-variant-numeric: tabular-nums;
    }
    #say .sentence { font-size: 19px; line-height: 1.35; overflow-wrap: anywhere; }
    #say .sentence b { font: 650 .9em var(--mono); }
    #say small { display: block; font-size: 13px; color: var(--soft); }
    #say .which { font-size: 13px; color: var(--soft); display: block; }
    #say .which:not(:first-child) { margin-top: 6px; }
    #say .silent { font-size: 16px; color: var(--soft); }
    #because { white-space: nowrap; }
    #causes { grid-column: 1 / -1; border-top: 1px solid var(--edge); padding-top: 8px; }
    #causes li { display: flex; gap: 8px; align-items: baseline; }
    #causes li::before { content: "↑"; color: var(--soft); }
    #causes li:first-child::before { content: "●"; color: var(--accent); }
    #causes button {
      border: 0; background: none; padding: 4px 6px; text-align: left; min-height: 32px;
      overflow-wrap: anywhere;
    }
    #causes button:hover { text-decoration: underline; }
    #causes .end { color: var(--soft); padding: 4px 6px; }
    #causes time, .work time { font: 13px var(--mono); color: var(--soft); white-space: nowrap; }

    .controls {
      display: flex; gap: 8px; align-items: center; flex-wrap: wrap; position: sticky; top: 0;
      z-index: 2; background: var(--page); padding: 6px 0;
    }
    .controls button { padding: 0; }
    .controls svg {
      width: 20px; height: 20px; fill: currentColor; stroke: currentColor; stroke-width: 2;
      stroke-linejoin: round; vertical-align: middle;
    }
    #play { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
    #play { min-width: 56px; }
    #play .pause, .playing #play .start { display: none; }
    .playing #play .pause { display: inline; }
    #slider { flex: 1 1 180px; min-width: 120px; height: 44px; accent-color: var(--accent); }
    .lane-field { display: flex; gap: 4px; min-width: 0; }
    .lane-field label { min-width: 0; }
    .lane-field select { font: 600 14px var(--mono); max-width: 200px; }

    .panes {
      display: grid; gap: 14px; align-items: start;
      grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr);
      grid-template-areas: "pa code" "pa na" "la na"; grid-template-rows: auto auto 1fr;
    }
    .side { display: contents; }
    .a .picture { grid-area: pa; } .a .now { grid-area: na; } .a .log { grid-area: la; }
    .b .picture { grid-area: pb; } .b .now { grid-area: nb; } .b .log { grid-area: lb; }
    .code { grid-area: code; }
    .comparing .panes {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-template-rows: auto;
      grid-template-areas: "pa pb" "na nb" "la lb" "code code";
    }
    .scrolls { overflow: auto; position: relative; border-radius: 6px; }
    .run-name { color: var(--ink); font-size: 15px; margin-bottom: 6px; }

    #source { max-height: 340px; background: var(--well); margin-top: 6px; }
    #source pre, .log pre { margin: 0; font: 13px/1.55 var(--mono); tab-size: 2; }
    #source pre { width: max-content; min-width: 100%; padding: 6px 0; }
    #source span.row { display: block; padding-right: 14px; border-left: 4px solid transparent; }
    #source span.row.on { background: var(--mark); border-color: var(--accent); }
    #source i { font-style: normal; }
    #source i.gutter {
      display: inline-block; width: 3.4em; padding-right: 1em; text-align: right;
      color: var(--soft); user-select: none;
    }
    i.keyword { color: var(--keyword); } i.string { color: var(--string); }
    i.type { color: var(--type); } i.comment { color: var(--comment); }
    #files { display: flex; gap: 6px; flex-wrap: wrap; }
    #files button { font: 600 13px var(--mono); min-height: 44px; }
    #files button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); }

    .now dl { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px; font-size: 15px; }
    .now dt { font-size: 13px; color: var(--soft); }
    .now dd { overflow-wrap: anywhere; }
    .now code, .keys kbd { font: 600 13px var(--mono); }
    .now .none { color: var(--soft); }
    .now li { display: flex; gap: 2px 10px; flex-wrap: wrap; align-items: baseline; }
    .now li small { color: var(--soft); font-size: 13px; }
    .log .scrolls { max-height: 260px; background: var(--well); margin-top: 6px; }
    .log ol { font: 13px/1.55 var(--mono); padding: 6px 0; width: max-content; min-width: 100%; }
    .log li { white-space: pre; padding: 0 10px; border-left: 4px solid transparent; }
    .log li.on { background: var(--mark); border-color: var(--accent); }
    .log li { cursor: pointer; }
    .keys {
      display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 6px 16px; margin: 10px 0;
    }
    .keys kbd { border: 1px solid var(--edge); border-radius: 4px; padding: 1px 6px; }
    summary { cursor: pointer; min-height: 28px; }

    .picture svg { display: block; margin: 0 auto; flex: none; }
    .picture .scrolls { margin-top: 6px; }
    .picture g[data-x] { cursor: pointer; transition: opacity .15s; }
    .picture .later { opacity: .16; }
    .playhead { stroke: var(--accent); stroke-width: 2; opacity: .6; transition: transform .15s; }
    @media (prefers-reduced-motion: reduce) { * { transition: none !important; } }

    @media (max-width: 800px) {
      main { padding: 12px; gap: 10px; }
      header { grid-template-columns: minmax(0, 1fr); }
      .choices { grid-column: 1; grid-row: auto; justify-content: start; margin-top: 6px; }
      .choices label { flex: 1 1 150px; }
      h1 { font-size: 19px; }
      .current { grid-template-columns: minmax(0, 1fr) auto; min-height: 128px; }
      .current { align-items: start; }
      #say { grid-column: 1 / -1; grid-row: 2; min-height: 4.6em; }
      #say .sentence { font-size: 17px; }
      .controls { justify-content: space-between; gap: 6px; }
      #slider { flex-basis: 100%; order: 1; height: 32px; min-height: 32px; }
      .lane-field { order: 2; flex: 1 1 100%; }
      .lane-field label { flex: 1; display: grid; }
      .lane-field select { max-width: none; width: 100%; }
      .panes, .comparing .panes {
        grid-template-columns: minmax(0, 1fr); grid-template-rows: auto;
        grid-template-areas: "pa" "code" "na" "la";
      }
      .comparing .panes { grid-template-areas: "pa" "pb" "code" "na" "nb" "la" "lb"; }
    }
    """#
}
