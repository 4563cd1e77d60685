import ScenarioKit

// region: buttons
/// The buttons on a phone and on a watch. They send 1 for a glass, and -1 to take one back.
struct Buttons {
  let phone = PassthroughSubject<Int, Never>()
  let watch = PassthroughSubject<Int, Never>()

  init(in world: World) {
    world.at(.milliseconds(10)) { [phone] in phone.send(1) }
    world.at(.milliseconds(20)) { [watch] in watch.send(1) }
    world.at(.milliseconds(30)) { [phone] in phone.send(1) }
    world.at(.milliseconds(40)) { [phone] in phone.send(-1) }
    world.at(.milliseconds(50)) { [watch] in watch.send(-1) }
    world.at(.milliseconds(60)) { [phone] in phone.send(1) }
  }
}
// endregion

extension Buttons {
  /// What the label of the first part shows.
  var totals: some Publisher<Int, Never> {
    phone.merge(with: watch).scan(0) { total, tap in total + tap }
  }
}

/// Subscribes, and prints what arrives. The lane has the line of the call.
func show(
  _ values: some Publisher<some Any, Never>, as name: String, in world: World,
  fileID: String = #fileID, line: Int = #line
) {
  values
    .lane(name, fileID: fileID, line: line)
    .sink { print("\(name):", $0) }
    .store(in: &world.cancellables)
}

/// Sends a value when the day is over.
func midnight(in world: World) -> some Publisher<Void, Never> {
  let midnight = PassthroughSubject<Void, Never>()
  world.at(.milliseconds(100)) { midnight.send() }
  return midnight
}
