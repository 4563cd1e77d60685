import ScenarioKit

/// A view whose image may be missing, as that of many a real one may.
final class OptionalImageView {
  var image: Image? = .frame {
    didSet { print("view: shows", image == nil ? "nothing" : "an image") }
  }
}

// region: inferred
func showInferred(_ address: String, on view: OptionalImageView, in world: World) {
  world.session.dataTaskPublisher(for: world.url(address))
    .map { $0.data }
    .replaceError(with: Data())
    // note: The property takes an `Image?`, so that is what the compiler lets pass; and what the
    //   closure returns is wrapped once more, and so is never `nil`.
    .compactMap { data in
      print("decoding", data)
      return Image(data: data)
    }
    .receive(on: DispatchQueue.main)
    .assign(to: \.image, on: view)
    .store(in: &world.cancellables)
}
// endregion

// region: declared
func showDeclared(_ address: String, on view: OptionalImageView, in world: World) {
  world.session.dataTaskPublisher(for: world.url(address))
    .map { $0.data }
    .replaceError(with: Data())
    // note: What the closure returns is said here, and its `nil` is what `compactMap` drops.
    .compactMap { data -> Image? in
      print("decoding", data)
      return Image(data: data)
    }
    .receive(on: DispatchQueue.main)
    .assign(to: \.image, on: view)
    .store(in: &world.cancellables)
}
// endregion
