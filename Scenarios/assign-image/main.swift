import ScenarioKit

let scenario = Scenario(
  "assign-image", "Assign a loaded image to a view's property, and see what keeps the view alive.")

// region: pipeline
func showImage(at url: URL, on view: ImageView, in world: World) {
  world.session.dataTaskPublisher(for: url)
    .lane("data task")
    .map { $0.data }
    // note: Turns a failed download into empty data, so the pipeline below can't fail.
    .replaceError(with: Data())
    .lane("replaceError")
    // note: Drops data that isn't a complete image: `Image(data:)` returns `nil` for it.
    .compactMap { Image(data: $0) }
    .lane("compactMap")
    // note: Views belong to the main thread.
    .receive(on: DispatchQueue.main)
    .lane("receive(on:)")
    // note: Sets the property to each image. It keeps the view for that, until the stream ends.
    .assign(to: \.image, on: view)
    .store(in: &world.cancellables)
}
// endregion

// region: arrives
scenario.part("The image arrives") { world in
  world.network.stub(.get, heartURL, responses: heartResponse)
  // note: No variable keeps this view.
  showImage(at: heartURL, on: ImageView(), in: world)
}
// endregion

// region: unchanged
func showImageAndLookLater(at url: URL, in world: World) {
  let view = ImageView()
  showImage(at: url, on: view, in: world)
  // note: The closure keeps the view until it has run.
  world.at(.seconds(1)) { print("view: still shows", view.image) }
}

scenario.part("The download breaks") { world in
  world.network.stub(.get, brokenURL, responses: brokenResponse)
  showImageAndLookLater(at: brokenURL, in: world)
}

scenario.part("The image is cut short") { world in
  world.network.stub(.get, truncatedURL, responses: truncatedResponse)
  showImageAndLookLater(at: truncatedURL, in: world)
}

scenario.part("The response isn't an image") { world in
  world.network.stub(.get, textURL, responses: textResponse)
  showImageAndLookLater(at: textURL, in: world)
}
// endregion

// region: without-end
scenario.part("Images without an end") { world in
  let images = PassthroughSubject<Image, Never>()
  let subscription =
    images
    .lane("images")
    .assign(to: \.image, on: ImageView())
  world.at(.seconds(1)) {
    print("cancel")
    subscription.cancel()
  }
}
// endregion

// region: view-keeps-subscription
scenario.part("The view keeps the subscription") { _ in
  let images = PassthroughSubject<Image, Never>()
  print("still alive?", viewStaysAlive { $0.follow(images) })
}
// endregion

// region: weak
scenario.part("The subscription doesn't keep the view") { _ in
  let images = PassthroughSubject<Image, Never>()
  print("still alive?", viewStaysAlive { $0.followWeakly(images) })
}
// endregion

addPartsOnOptionalProperties(to: scenario)

scenario.run()
