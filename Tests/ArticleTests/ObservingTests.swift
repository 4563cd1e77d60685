import StreamsFoundation
import Testing

// The code in docs/observing-objects.md, and its tests.

// region: model
final class Player: ObservableObject {
  @Published var title = ""
  @Published var volume = 5
}
// endregion

// region: main-actor
@MainActor
final class Search: ObservableObject {
  @Published var query = ""
  @Published private(set) var length = 0

  init() {
    $query.map(\.count).assign(to: &$length)
  }
}
// endregion

// region: own-publisher
final class Settings: ObservableObject {
  let objectWillChange = ObservableObjectPublisher()

  var theme = "light" {
    willSet { objectWillChange.send() }
  }
}
// endregion

// region: observer
final class Download {
  var fraction = 0.0 {
    didSet { fractions.send(fraction) }
  }

  private let fractions = PassthroughSubject<Double, Never>()

  var fractionPublisher: AnyPublisher<Double, Never> { fractions.eraseToAnyPublisher() }
}
// endregion

@Suite struct ObservingTests {
  // region: order
  @Test func aSubscriberIsToldBeforeTheChange() {
    let player = Player()
    var lines: [String] = []
    let values = player.$volume.sink { lines.append("volume \($0), is \(player.volume)") }
    let changes = player.objectWillChange.sink { lines.append("will change") }
    player.volume = 6
    #expect(lines == ["volume 5, is 5", "will change", "volume 6, is 5"])
    #expect(player.volume == 6)
    changes.cancel()
    values.cancel()
  }
  // endregion

  @Test @MainActor func aModelOnTheMainActorFollowsItself() {
    let search = Search()
    search.query = "swift"
    #expect(search.length == 5)
  }

  @Test func anOwnPublisherPublishesWhatYouSend() {
    let settings = Settings()
    var themes: [String] = []
    let cancellable = settings.objectWillChange.sink { themes.append(settings.theme) }
    settings.theme = "dark"
    #expect(themes == ["light"])
    cancellable.cancel()
  }

  @Test func anObserverOfAPropertyPublishesAfterTheChange() {
    let download = Download()
    var lines: [String] = []
    let cancellable = download.fractionPublisher.sink {
      lines.append("\($0), is \(download.fraction)")
    }
    download.fraction = 0.5
    #expect(lines == ["0.5, is 0.5"])
    cancellable.cancel()
  }
}
