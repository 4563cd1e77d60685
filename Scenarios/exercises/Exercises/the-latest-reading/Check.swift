import ExerciseKit

let check = Check(
  learned:
    "A `CurrentValueSubject` gives each new subscriber its value. A `PassthroughSubject` keeps "
    + "nothing.",
  setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  let thermometer = Thermometer()
  // It stays in memory for good, as it may in an app.
  _ = Unmanaged.passRetained(thermometer)
  let measured = attempt.script(
    "-3----5", ["3": 3, "5": 5], or: [0, 2, 5, 9], count: 1...6, gaps: 1...4, endings: [.none]
  ).withoutRepeats
  let other = Thermometer()
  _ = Unmanaged.passRetained(other)
  attempt.show("measured", measured)
  var isMeasured = false
  for (value, time) in measured.values {
    attempt.at(time) {
      isMeasured = true
      thermometer.measure(value)
      if !attempt.isPage { other.measure(77) }
    }
  }

  func expect(_ name: String = "a screen", opensAt opening: Int, closesAt closing: Int? = nil) {
    var shown = Script(measured.values.filter { $0.time > opening })
    if let latest = measured.values.last(where: { $0.time < opening }) {
      shown.values.insert((latest.value, opening), at: 0)
    }
    let name = "\(name) that opens at \(opening) ms"
    let screen = PassthroughSubject<Int, Never>()
    attempt.expect(
      screen, closing.map { shown.until($0) } ?? shown,
      name: closing.map { "\(name) and closes at \($0) ms" } ?? name, onlyOne: true)
    var subscription: AnyCancellable?
    attempt.at(opening) {
      subscription = thermometer.readings.sink { value in
        // Before the first reading, a screen may show anything.
        if isMeasured { screen.send(value) }
      }
    }
    if let closing { attempt.at(closing) { subscription = nil } }
    attempt.keep(AnyCancellable { _ = subscription })
  }
  attempt.note("subjects that keep nothing") {
    "\(type(of: thermometer.readings))".hasPrefix("PassthroughSubject") ? 1 : 0
  }
  if attempt.isPage { return expect(opensAt: 40) }
  let moments = [attempt.moment(outside: measured), attempt.moment(outside: measured)].sorted()
  expect(opensAt: moments[0], closesAt: moments[1] + 5)
  expect("another screen", opensAt: moments[0])
  expect("a third screen", opensAt: moments[1])
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.values().map(\.text) == ["5"], outcome.values()[0].time == 60 else { return nil }
  return "The screen that opened at 40 ms stayed empty for 20 ms, because nothing gave it the "
    + "reading of 10 ms."
    + (outcome.count("subjects that keep nothing") == 1
      ? " A `PassthroughSubject` keeps no value." : "")
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  guard let wrong = outcome.wrongValue, wrong.text == "77" else { return nil }
  return "At \(wrong.time) ms, the screen shows `77`, which is the reading of another thermometer."
}
