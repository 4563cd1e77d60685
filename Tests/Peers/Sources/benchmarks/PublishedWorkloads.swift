import Streams

/// Published properties: setting one with several numbers of subscribers, and making a model.
///
/// The loop does what you'd write without the property wrapper: the `willSet` of a property sends
/// to a subject. So on both sides a subscriber gets the current value first, and then each new one
/// before the property changes. It may subscribe and cancel on any thread, also during a send. A
/// loop that only calls closures would promise none of that, so it isn't the same work. How far a
/// subject is from such a loop is measured with the subjects. A property whose publisher isn't
/// asked for promises nothing either, so it's compared with a plain one.
enum PublishedWorkloads {
  static var all: [Workload] {
    [withoutAPublisher] + [0, 1, 10].map(setting) + [announcing, reading, makingModels]
  }

  /// Nothing has asked for `$number`.
  private static var withoutAPublisher: Workload {
    let count = 1_000_000
    let model = Model()
    let plain = Plain()
    return Workload(
      name: "published property without a publisher", values: count, target: 2,
      loop: { for value in 0..<count { plain.number = value } },
      streams: { for value in 0..<count { model.number = value } })
  }

  private static func setting(subscribers: Int) -> Workload {
    let count = 1_000_000 / max(1, subscribers)
    let add = Closures.add()
    let model = Model()
    let handWritten = HandWrittenProperty()
    // The subject exists, also without a subscriber.
    let publisher = model.$number
    let cancellables = (0..<subscribers).flatMap { _ in
      [publisher.sink(receiveValue: add), handWritten.numbers.sink(receiveValue: add)]
    }
    return Workload(
      name: "published property, sink, \(subscribers) subscribers", values: count, target: 2,
      loop: { for value in 0..<count { handWritten.number = value } },
      streams: {
        for value in 0..<count { model.number = value }
        withExtendedLifetime(cancellables) {}
      })
  }

  private static var announcing: Workload {
    let count = 1_000_000
    let add = Closures.add()
    let model = Model()
    let handWritten = HandWrittenModel()
    let cancellables = [
      model.objectWillChange.sink { add(1) }, handWritten.objectWillChange.sink { add(1) },
    ]
    return Workload(
      name: "objectWillChange, sink", values: count, target: 2,
      loop: { for value in 0..<count { handWritten.number = value } },
      streams: {
        for value in 0..<count { model.number = value }
        withExtendedLifetime(cancellables) {}
      })
  }

  private static var reading: Workload {
    let count = 1_000_000
    let add = Closures.add()
    let model = Model()
    let plain = Plain()
    _ = model.$number
    return Workload(
      name: "published property, reading", values: count, target: 4,
      loop: { for _ in 0..<count { add(plain.number) } },
      streams: { for _ in 0..<count { add(model.number) } })
  }

  /// Two properties and one subscriber to the model.
  private static var makingModels: Workload {
    let count = 100_000
    let add = Closures.add()
    return Workload(
      name: "observable object, set up and release", values: count, target: 4,
      loop: {
        for value in 0..<count {
          let model = HandWrittenModel()
          let cancellable = model.objectWillChange.sink { add(value) }
          model.number = value
          cancellable.cancel()
        }
      },
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

/// A property with a publisher, as you'd write it without `@Published`.
private final class HandWrittenProperty {
  let numbers = CurrentValueSubject<Int, Never>(0)

  var number = 0 {
    willSet { numbers.send(newValue) }
  }
}

/// An observable object, as you'd write it without `ObservableObject`.
private final class HandWrittenModel {
  let objectWillChange = PassthroughSubject<Void, Never>()

  var number = 0 {
    willSet { objectWillChange.send() }
  }

  var name = "" {
    willSet { objectWillChange.send() }
  }
}

private final class Plain {
  // The compiler mustn't leave the stores out.
  var number: Int {
    @inline(never) get { stored }
    @inline(never) set { stored = newValue }
  }
  private var stored = 0
}
