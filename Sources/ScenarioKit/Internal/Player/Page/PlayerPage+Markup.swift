extension PlayerPage {
  /// The parts of the page. The scripts fill them.
  static let markup = #"""
    <main>
    <header>
    <p id="scenario"></p>
    <h1 id="summary"></h1>
    <div class="choices">
    <label>Part <select id="part"></select></label>
    <label id="compare-field">Compare with <select id="compare"></select></label>
    </div>
    </header>
    <noscript><p class="card">This page needs JavaScript to show the run.</p></noscript>

    <section class="card current" id="current" aria-label="Current event">
    <p id="clock" aria-hidden="true"></p>
    <div id="say" role="status"></div>
    <button type="button" id="because" aria-expanded="false" aria-controls="causes">
    Because…</button>
    <ol id="causes" hidden></ol>
    </section>

    <div class="controls" role="group" aria-label="Steps">
    <button type="button" id="first" aria-label="First event"><svg viewBox="0 0 20 20"
     aria-hidden="true"><path d="M4 4v12M16 4l-9 6 9 6z"/></svg></button>
    <button type="button" id="back" aria-label="Previous event"><svg viewBox="0 0 20 20"
     aria-hidden="true"><path d="M14 4l-9 6 9 6z"/></svg></button>
    <button type="button" id="play" aria-label="Play"><svg viewBox="0 0 20 20"
     aria-hidden="true"><path class="start" d="M4 3l13 7-13 7z"/><path class="pause"
     d="M5 4h3v12h-3zM12 4h3v12h-3z"/></svg></button>
    <button type="button" id="next" aria-label="Next event"><svg viewBox="0 0 20 20"
     aria-hidden="true"><path d="M6 4l9 6-9 6z"/></svg></button>
    <button type="button" id="last" aria-label="Last event"><svg viewBox="0 0 20 20"
     aria-hidden="true"><path d="M16 4v12M4 4l9 6-9 6z"/></svg></button>
    <input type="range" id="slider" min="0" value="0" aria-label="Event">
    <span class="lane-field"><button type="button" id="lane-back"
     aria-label="Previous event of the lane"><svg viewBox="0 0 20 20" aria-hidden="true"><path
     d="M17 5l-6 5 6 5zM9 5l-6 5 6 5z"/></svg></button><label><span class="hidden">Lane</span>
    <select id="lane"></select></label><button type="button" id="lane-next"
     aria-label="Next event of the lane"><svg viewBox="0 0 20 20" aria-hidden="true"><path
     d="M3 5l6 5-6 5zM11 5l6 5-6 5z"/></svg></button></span>
    </div>

    <div class="panes" id="panes">
    <div class="side a"></div>
    <div class="side b" hidden></div>
    <section class="card code" aria-labelledby="code-title">
    <h2 id="code-title">Code</h2>
    <div id="files" role="group" aria-label="Files"></div>
    <div id="source" class="scrolls" role="region" tabindex="0" aria-labelledby="code-title"></div>
    </section>
    </div>

    <details class="card">
    <summary>Keys and links</summary>
    <dl class="keys">
    <dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>previous and next event</dd>
    <dt><kbd>Shift</kbd> <kbd>←</kbd> <kbd>→</kbd></dt>
    <dd>previous and next event of the same lane</dd>
    <dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>first and last event</dd>
    <dt><kbd>Space</kbd></dt><dd>play or pause</dd>
    </dl>
    <p>Click a mark, or a line of the transcript, to go there. The address of this page names the
    event, so you can send it to others.</p>
    </details>
    </main>
    """#
}
