import ExerciseKit

let check = Check(
  learned: "`combineLatest` waits for a first value of each source, so give a silent one a start.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["a": "3°, no wind", "b": "4°, no wind", "c": "4°, wind 7"]
  let degrees = attempt.script(
    "-3---4", ["3": 3, "4": 4], or: [3, 4, 5], gaps: 1...4, endings: [.none])
  let temperature = attempt.source("degrees", degrees)
  let silent = attempt.hiddenSource(Script<Int>([]))
  // A line that stays the same may come again or not.
  func expect(_ wind: some Publisher<Int, Never>, _ wanted: Script<String>, name: String) {
    let answer = line(temperature, wind)
    if attempt.isPage {
      attempt.expect(answer, wanted, name: name)
    } else {
      attempt.expect(answer.removeDuplicates(), wanted.withoutRepeats, name: name)
    }
  }
  expect(silent, lines(degrees, Script([])), name: "the wind sensor is silent")
  if attempt.isPage {
    let late = attempt.hiddenSource(Script([(7, 70)]))
    expect(
      late, lines(degrees, Script([(7, 70)])), name: "the wind is 7 from 70 ms on")
  } else {
    let wind = attempt.script("", [:], or: [0, 7, 8], gaps: 1...4, endings: [.none])
    // The lines of one moment depend on which sensor is first, so the wind never blows at the
    // moment of a new temperature.
    let between = Script(
      wind.values.filter { value in !degrees.values.contains { $0.time == value.time } })
    let sensor = attempt.source("wind", between)
    expect(sensor, lines(degrees, between), name: "with the wind")
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
  let silent = outcome.values(of: "the wind sensor is silent")
  let late = outcome.values(of: "the wind is 7 from 70 ms on")
  if silent.isEmpty, late.allSatisfy({ $0.time >= 70 }), late.first != nil {
    return outcome.has("replaceEmpty")
      ? "`replaceEmpty` acts when a stream ends without a value. A silent sensor doesn't end, so the "
        + "line stays empty."
      : "The temperature came at 10 ms, and the line stays empty until the wind comes: "
        + "\(outcome.firstUsed("combineLatest", "zip") ?? "your stream") waits until each of its sources "
        + "has sent something."
  }
  if outcome.has("zip"), silent.map(\.time) == [10], late.map(\.time) == [10, 70] {
    return "The second temperature, at 50 ms, waits for a second wind: `zip` makes pairs, and uses "
      + "each value once."
  }
  return nil
}
