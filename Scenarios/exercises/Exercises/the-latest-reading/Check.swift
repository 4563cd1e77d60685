import ExerciseKit

let check = Check(
  learned:
    "A `CurrentValueSubject` gives each new subscriber its value. A `PassthroughSubject` keeps "
    + "nothing.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let thermometer = Thermometer()
  attempt.show("measured", "-3----5")
  attempt.at(10) { thermometer.measure(3) }
  attempt.at(60) { thermometer.measure(5) }
  let screen = PassthroughSubject<Int, Never>()
  attempt.expect(screen, "----3-5", name: "a screen that opens at 40 ms")
  attempt.at(40) {
    attempt.keep(thermometer.readings.sink { screen.send($0) })
  }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.values().map(\.text) == ["5"] else { return nil }
  return "The screen that opened at 40 ms stayed empty for 20 ms: the reading of 10 ms was gone, "
    + "because a `PassthroughSubject` keeps no value."
}
