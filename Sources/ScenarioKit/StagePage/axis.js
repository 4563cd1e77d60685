// The axis: the same for the track and the picture. It changes only between moves.

/**
 * The axis is linear up to its end. What comes much later stands in columns behind that, because a
 * timeout of a minute would leave no room for all else. Only in a run that takes no time, `columns`
 * has the place of each event instead.
 */
const axis = {
  left: 0, end: 0, right: 0, never: 0, longest: 1e9, step: 1e8, isWide: true, later: [],
  columns: null,
};

/** The place of a time. What comes later than the axis stands in the column of a time near it. */
function xOf(nanoseconds) {
  if (nanoseconds <= axis.longest) {
    return axis.left + (nanoseconds / axis.longest) * (axis.end - axis.left);
  }
  return columnOf(nanoseconds)?.x ?? axis.end;
}

/** The column of a time that's later than the axis. */
const columnOf = (nanoseconds) => axis.later.reduce((best, column) =>
  !best || Math.abs(column.time - nanoseconds) < Math.abs(best.time - nanoseconds) ? column : best,
  null);

/** The place of an event. */
const xOfEvent = (event) => axis.columns?.get(event.number) ?? xOf(event.nanoseconds);

/** The time of a place. Behind the end, that's the time of the nearest column. */
function timeAt(x) {
  if (x <= axis.end || !axis.later.length) {
    return ((Math.min(x, axis.end) - axis.left) / (axis.end - axis.left)) * axis.longest;
  }
  return axis.later.reduce((best, column) =>
    Math.abs(column.x - x) < Math.abs(best.x - x) ? column : best).time;
}

/** The distance of ticks, so that their words have room. */
function stepFor(longest, width) {
  const least = (longest * 74) / Math.max(width, 1);
  for (let power = 1e3; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (factor * power >= least) return factor * power;
  }
}

/** A time in few words, such as `0 ms`, `2120 ms` or `12 s`. */
function shortTime(nanoseconds) {
  const seconds = nanoseconds / 1e9;
  if (seconds < 10) return inMilliseconds(nanoseconds);
  const tenths = (number) => Math.round(number * 10) / 10;
  return seconds < 120 ? `${tenths(seconds)} s` : `${tenths(seconds / 60)} min`;
}

/**
 * How much room marks of one row and one instant take: their time, or in a run that takes no time
 * their column, and their width.
 */
function clustersOf(found) {
  const clusters = [];
  for (const row of found) {
    for (const life of row.lives) {
      for (const event of shownEvents(life)) {
        const last = clusters.at(-1);
        if (last?.life === life && last.time === event.nanoseconds) {
          last.width += widthOf(event) + 3;
        } else {
          clusters.push({ life, time: event.nanoseconds, width: widthOf(event) });
        }
      }
    }
  }
  return clusters;
}

/** The last time that the linear part shows: that before a gap that's longer than all else. */
function lastNearTime(times, limit) {
  const near = times.filter((time) => time <= limit);
  const last = near.at(-1) ?? 0;
  const index = near.findIndex((time, index) => {
    const gap = near[index + 1] - time;
    return gap >= 5 * (last - gap);
  });
  return near[index] ?? last;
}

/** Chooses the axis for the width of the window, and for the run. */
function chooseAxis() {
  const { run, usual } = stage;
  const width = byId("stage").clientWidth;
  axis.isWide = width >= 560;
  const named = updateRows(run);
  const names = [...rows.all, ...trackRows(run.things).keys()];
  axis.left = axis.isWide
    ? Math.min(210, 34 + 7.25 * Math.max(8, ...names.map((name) => name.length))) : 24;
  axis.never = width - 20;
  axis.right = width - 8;
  const moved = run.things.map(timeOf).filter((time) => time != null);
  const end = usual?.end || run.end || Math.max(0, ...moved);
  axis.columns = end ? null : columnsOf(named);
  const clusters = clustersOf(named.values());
  const times = [...new Set([...clusters.map((cluster) => cluster.time), ...moved])]
    .filter((time) => time > 0).sort((one, other) => one - other);
  const last = lastNearTime(times, 1.6 * end) || end || 1e6;
  placeLater(times.filter((time) => time > last), clusters);
  const room = axis.end - axis.left;
  const limit = axis.later.length ? axis.end : axis.right;
  // All marks have room to the right of their instant, if that leaves enough for the rest.
  const scale = Math.min(room / (1.06 * last), ...clusters
    .filter(({ time }) => time > 0 && time <= last)
    .map((cluster) => (limit - axis.left - cluster.width) / cluster.time));
  axis.longest = room / Math.max(scale, (0.55 * room) / last);
  axis.step = stepFor(axis.longest, room);
}

/** Gives each of the times behind the end of the axis a column. */
function placeLater(times, clusters) {
  const room = (axis.isWide ? 0.45 : 0.3) * (axis.never - axis.left);
  const widthAt = (time) => Math.max(52, ...clusters.filter((cluster) => cluster.time === time)
    .map((cluster) => cluster.width + 10));
  // If there are too many, the last column is for all that are left.
  const shown = times.slice(0, Math.max(1, Math.floor(room / 45)));
  const all = shown.reduce((sum, time) => sum + widthAt(time), 0);
  let x = axis.never - 24;
  axis.later = shown.reverse().map((time) => {
    x -= widthAt(time) * Math.min(1, room / all);
    return { time, x };
  }).reverse();
  axis.end = axis.later.length ? x - 30 : axis.never - 24;
}

/**
 * The places in a run that takes no time: each event stands right of what came before it in its
 * row, and not left of what came before it elsewhere.
 */
function columnsOf(named) {
  const marks = new Map();
  for (const row of named.values()) {
    for (const life of row.lives) {
      for (const event of [life.events[0], ...shownEvents(life)]) marks.set(event.number, row);
    }
  }
  const [columns, used, widths] = [new Map(), new Map(), []];
  let column = 0;
  for (const event of stage.run.events) {
    const row = marks.get(event.number);
    if (row) {
      column = Math.max(column, (used.get(row) ?? -1) + 1);
      used.set(row, column);
      widths[column] = Math.max(widths[column] ?? 0, widthOf(event));
    }
    columns.set(event.number, column);
  }
  const room = axis.right - axis.left;
  const least = Math.min(80, room / widths.length);
  const all = widths.map((width) => Math.max(width + 16, least));
  const scale = Math.min(1, room / all.reduce((sum, width) => sum + width, 0));
  const places = all.map((_, index) =>
    axis.left + scale * all.slice(0, index).reduce((sum, width) => sum + width, 0));
  return new Map([...columns].map(([number, index]) => [number, places[index] ?? axis.left]));
}
