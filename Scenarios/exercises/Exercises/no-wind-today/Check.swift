import ExerciseKit

let check = Check(
  learned: "`combineLatest` waits for a first value of each source, so give a silent one a start.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["a": "3°, no wind", "b": "4°, no wind", "c": "4°, wind 7"]
  let degrees = attempt.script(
    "-3---4", ["3": 3, "4": 4], or: [3, 4, 5], gaps: 1...4, endings: [.none])
  let temperature = attempt.source("degrees", degrees)
  let silent = attempt.hiddenSource("", [Character: Int]())
  attempt.expect(
    line(temperature, silent), lines(degrees, Script([])), name: "the wind sensor is silent")
  if attempt.isPage {
    let late = attempt.hiddenSource("-------7", ["7": 7])
    attempt.expect(line(temperature, late), "-a---b-c", name: "the wind is 7 from 70 ms on")
  } else {
    let wind = attempt.script("", [:], or: [0, 7, 8], gaps: 1...4, endings: [.none])
    // The lines of one moment depend on which sensor is first, so the wind never blows at the
    // moment of a new temperature.
    let between = Script(
      wind.values.filter { value in !degrees.values.contains { $0.time == value.time } })
    let sensor = attempt.source("wind", between)
    attempt.expect(line(temperature, sensor), lines(degrees, between), name: "with the wind")
  }
}

/// A line for each change, once there's a temperature.
private func lines(_ degrees: Script<Int>, _ wind: Script<Int>) -> Script<String> {
  var last: (degrees: Int?, wind: Int?)
  let changes =
    degrees.values.map { (degrees: Optional($0.value), wind: Int?.none, time: $0.time) }
    + wind.values.map { (degrees: nil, wind: $0.value, time: $0.time) }
  return Script(
    changes.sorted { $0.time < $1.time }.compactMap { change in
      last = (change.degrees ?? last.degrees, change.wind ?? last.wind)
      guard let degrees = last.degrees else { return nil }
      return ("\(degrees)°, \(last.wind.map { "wind \($0)" } ?? "no wind")", change.time)
    })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.values(of: "the wind sensor is silent").isEmpty {
    return outcome.firstUsed("replaceEmpty") != nil
      ? "`replaceEmpty` acts when a stream ends without a value. A silent sensor doesn't end, so the "
        + "line stays empty."
      : "The temperature came at 10 ms, and the line stays empty: "
        + "\(outcome.firstUsed("combineLatest", "zip") ?? "your stream") waits until each of its sources "
        + "has sent something."
  }
  if outcome.firstUsed("zip") != nil {
    return "The second temperature, at 50 ms, waits for a second wind: `zip` makes pairs, and uses "
      + "each value once."
  }
  return nil
}
