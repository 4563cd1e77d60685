import Streams
import TestSupport
import Testing

// That this compiles in Swift 6 without a warning is part of the test.

@MainActor
private final class Model: ObservableObject {
  @Published var name = ""
  @Published private(set) var length = 0

  init() {
    $name.map(\.count).assign(to: &$length)
  }
}

@MainActor
private class OwnPublisherModel: ObservableObject {
  let objectWillChange = ObservableObjectPublisher()
  @Published var name = "" {
    willSet { objectWillChange.send() }
  }
}

@MainActor
private protocol Named: ObservableObject {
  var name: String { get set }
}

extension Model: Named {}

@Suite @MainActor struct MainActorModelTests {
  @Test func aModelOnTheMainActorPublishesAndFollows() {
    let model = Model()
    var lines: [String] = []
    var cancellables: Set<AnyCancellable> = []
    model.$name.sink { lines.append("\($0), is \(model.name)") }.store(in: &cancellables)
    model.objectWillChange.sink { lines.append("will") }.store(in: &cancellables)
    model.name = "Ada"
    Just("Grace").assign(to: &model.$name)
    expectEqual(
      lines,
      [
        ", is ", "will", "will", "Ada, is ", "will", "will", "Grace, is Ada",
      ])
    expectEqual(model.length, 5)
  }

  @Test func aKeyPathWritesToAModel() {
    let model = Model()
    let cancellable = ["a", "b"].publisher.assign(to: \.name, on: model)
    expectEqual(model.name, "b")
    cancellable.cancel()
  }

  @Test func anExplicitPublisherMayBeALetOfTheMainActor() {
    let model = OwnPublisherModel()
    var count = 0
    let cancellable = model.objectWillChange.sink { count += 1 }
    model.name = "Ada"
    expectEqual(count, 1)
    cancellable.cancel()
  }

  @Test func aTaskMayTakeThePublishersAlong() async {
    let model = Model()
    let names = model.$name
    let changes = model.objectWillChange
    let values = await Task.detached { [model] in
      let history = names.history()
      _ = model.objectWillChange === changes
      return history.values
    }.value
    expectEqual(values, [""])
  }

  @Test func aGenericViewOfAModelWorks() {
    func rename<Some: Named>(_ model: Some) -> Int {
      var count = 0
      let cancellable = model.objectWillChange.sink { _ in count += 1 }
      model.name = "Ada"
      cancellable.cancel()
      return count
    }
    expectEqual(rename(Model()), 2)
  }
}
