import ScenarioKit

// region: view
/// A view whose image can be missing.
final class OptionalImageView {
  var image: Image? = .placeholder {
    didSet { print("view: shows", image == nil ? "nothing" : "an image") }
  }
}
// endregion

// region: inferred
func showInferred(_ url: URL, on view: OptionalImageView, in world: World) {
  world.session.dataTaskPublisher(for: url)
    .map { $0.data }
    .replaceError(with: Data())
    .lane("replaceError")
    // note: The property is an `Image?`, so the compiler makes that the output type. It wraps the
    //   closure's result in one more optional, which is never `nil`.
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
func showDeclared(_ url: URL, on view: OptionalImageView, in world: World) {
  world.session.dataTaskPublisher(for: url)
    .map { $0.data }
    .replaceError(with: Data())
    .lane("replaceError")
    // note: With the type written down, `nil` stays `nil`, and `compactMap` drops it.
    .compactMap { data -> Image? in
      print("decoding", data)
      return Image(data: data)
    }
    .receive(on: DispatchQueue.main)
    .assign(to: \.image, on: view)
    .store(in: &world.cancellables)
}
// endregion

/// Adds the two parts about optional properties: see docs/observing-objects.md.
func addPartsOnOptionalProperties(to scenario: Scenario) {
  scenario.part("An optional property and an inferred type") { world in
    world.network.stub(.get, textURL, responses: textResponse)
    showInferred(textURL, on: OptionalImageView(), in: world)
  }
  scenario.part("An optional property and a declared type") { world in
    world.network.stub(.get, textURL, responses: textResponse)
    showDeclared(textURL, on: OptionalImageView(), in: world)
  }
}
