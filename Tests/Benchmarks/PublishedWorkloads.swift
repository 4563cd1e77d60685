import Streams

/// Published properties: setting one with several numbers of subscribers, and making a model.
///
/// The loop sets a plain property and calls the same closures.
enum PublishedWorkloads {
  static var all: [Workload] {
    [setting(subscribers: 0, target: 8), withoutAPublisher]
      + [(1, 12), (10, 5)].map { setting(subscribers: $0, target: $1) }
      + [announcing, reading, makingModels]
  }

  /// Nothing has asked for `$number`.
  private static var withoutAPublisher: Workload {
    let count = 1_000_000
    let model = Model()
    let plain = Plain()
    return Workload(
      name: "published property without a publisher", values: count, target: 4,
      loop: { for value in 0..<count { plain.number = value } },
      streams: { for value in 0..<count { model.number = value } })
  }

  private static func setting(subscribers: Int, target: Double) -> Workload {
    let count = 1_000_000 / max(1, subscribers)
    let add = Closures.add()
    let model = Model()
    let plain = Plain()
    // The subject exists, also without a subscriber.
    _ = model.$number
    let cancellables = (0..<subscribers).map { _ in model.$number.sink(receiveValue: add) }
    return Workload(
      name: "published property, sink, \(subscribers) subscribers", values: count, target: target,
      loop: {
        for value in 0..<count {
          for _ in 0..<subscribers { add(value) }
          plain.number = value
        }
      },
      streams: {
        for value in 0..<count { model.number = value }
        withExtendedLifetime(cancellables) {}
      })
  }

  private static var announcing: Workload {
    let count = 1_000_000
    let add = Closures.add()
    let model = Model()
    let plain = Plain()
    let cancellable = model.objectWillChange.sink { add(1) }
    return Workload(
      name: "objectWillChange, sink", values: count, target: 8,
      loop: {
        for value in 0..<count {
          add(1)
          plain.number = value
        }
      },
      streams: {
        for value in 0..<count { model.number = value }
        withExtendedLifetime(cancellable) {}
      })
  }

  private static var reading: Workload {
    let count = 1_000_000
    let add = Closures.add()
    let model = Model()
    let plain = Plain()
    _ = model.$number
    return Workload(
      name: "published property, reading", values: count, target: 8,
      loop: { for _ in 0..<count { add(plain.number) } },
      streams: { for _ in 0..<count { add(model.number) } })
  }

  /// Two properties and one subscriber to the model.
  private static var makingModels: Workload {
    let count = 100_000
    let add = Closures.add()
    return Workload(
      name: "observable object, set up and release", values: count, target: 15,
      loop: { for value in 0..<count { Plain().set(value, add) } },
      streams: {
        for value in 0..<count {
          let model = Model()
          let cancellable = model.objectWillChange.sink { add(value) }
          model.number = value
          cancellable.cancel()
        }
      })
  }
}

private final class Model: ObservableObject {
  @Published var number = 0
  @Published var name = ""
}

private final class Plain {
  // The compiler mustn't leave the stores out.
  var number: Int {
    @inline(never) get { stored }
    @inline(never) set { stored = newValue }
  }
  private var stored = 0
  private var name = ""

  @inline(never)
  init() {}

  func set(_ value: Int, _ add: (Int) -> Void) {
    add(value)
    number = value
  }
}
