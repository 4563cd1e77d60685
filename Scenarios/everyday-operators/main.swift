import ScenarioKit

let scenario = Scenario(
  "everyday-operators", "Count glasses of water with the operators that you need every day.",
  refusesServers: "it makes no requests")

// region: label
scenario.part("Two buttons and a label") { world in
  let buttons = Buttons(in: world)
  let watch = buttons.watch
    .lane("watch")
  let label = buttons.phone
    .lane("phone")
    // note: Subscribes to both publishers, and passes on what they send.
    .merge(with: watch)
    // note: Keeps a total, at first 0. Each tap makes a new total, which is passed on.
    .scan(0) { total, tap in total + tap }
  show(label, as: "label", in: world)
}
// endregion

// region: saved
scenario.part("Three glasses from the morning") { world in
  let buttons = Buttons(in: world)
  let labelA = buttons.phone
    .merge(with: buttons.watch)
    .lane("taps")
    .scan(0) { total, tap in total + tap }
    .prepend(3)
  let labelB = buttons.phone
    .merge(with: buttons.watch)
    .prepend(3)
    .lane("prepend")
    .scan(0) { total, tap in total + tap }
  show(labelA, as: "label A", in: world)
  show(labelB, as: "label B", in: world)
}
// endregion

// region: star
scenario.part("A star for two glasses") { world in
  let star = Buttons(in: world).totals
    .lane("total")
    .map { total in total >= 2 ? "star" : "no star" }
    // note: Drops a value that equals the one right before it.
    .removeDuplicates()
  show(star, as: "screen", in: world)
}
// endregion

// region: day
func showDay(_ totals: some Publisher<Int, Never>, in world: World) {
  show(totals, as: "label", in: world)
  // note: The last value of the stream.
  show(totals.last(), as: "summary", in: world)
  // note: All values of the stream, in one array.
  show(totals.collect(), as: "chart", in: world)
  // note: The first value for which the closure returns `true`. Then it finishes.
  show(totals.first(where: { total in total >= 2 }), as: "badge", in: world)
}
// endregion

// region: evening
scenario.part("The evening") { world in
  showDay(Buttons(in: world).totals, in: world)
}
// endregion

// region: midnight
scenario.part("At midnight") { world in
  let totals = Buttons(in: world).totals
    // note: Ends the stream when the other publisher sends its first value.
    .prefix(untilOutputFrom: midnight(in: world))
  showDay(totals, in: world)
}
// endregion

scenario.run()
