import ScenarioKit

let scenario = Scenario(
  "assign-image", "Assign a loaded image to a view's property, and see who keeps the view.")

// region: pipeline
func show(_ address: String, on view: ImageView, in world: World) {
  world.session.dataTaskPublisher(for: world.url(address))
    .map { $0.data }
    // note: What cannot be loaded is no data: from here on nothing can fail.
    .replaceError(with: Data())
    // note: What is no image is dropped, and so is what was no data: the view hears of neither.
    .compactMap { Image(data: $0) }
    // note: A view is touched on the main thread only.
    .receive(on: DispatchQueue.main)
    // note: Sets the property to each image, and keeps the view until the stream ends.
    .assign(to: \.image, on: view)
    .store(in: &world.cancellables)
}
// endregion

// region: arrives
scenario.part("The image arrives") { world in
  world.network.stub(.get, heartAddress, responses: whole)
  show(heartAddress, on: ImageView(), in: world)
}
// endregion

// region: left
func showAndLook(_ address: String, in world: World) {
  let view = ImageView()
  show(address, on: view, in: world)
  world.at(.seconds(1)) { view.draw("still shows") }
}

scenario.part("The download breaks") { world in
  world.network.stub(.get, brokenAddress, responses: broken)
  showAndLook(brokenAddress, in: world)
}

scenario.part("The image is cut short") { world in
  world.network.stub(.get, truncatedAddress, responses: truncated)
  showAndLook(truncatedAddress, in: world)
}

scenario.part("The answer is no image") { world in
  world.network.stub(.get, textAddress, responses: text)
  showAndLook(textAddress, in: world)
}
// endregion

// region: keepers
scenario.part("The subscription keeps the view") { world in
  let images = PassthroughSubject<Image, Never>()
  let subscription = images.assign(to: \.image, on: ImageView())
  world.at(.seconds(1)) {
    print("cancel")
    subscription.cancel()
  }
}

scenario.part("The view keeps the subscription") { _ in
  let images = PassthroughSubject<Image, Never>()
  print("still there?", isLeftOver { $0.follow(images) })
}

scenario.part("The view keeps a subscription that does not keep it") { _ in
  let images = PassthroughSubject<Image, Never>()
  print("still there?", isLeftOver { $0.followWeakly(images) })
}
// endregion

// region: optional
scenario.part("An optional property, and an inferred type") { world in
  world.network.stub(.get, textAddress, responses: text)
  showInferred(textAddress, on: OptionalImageView(), in: world)
}

scenario.part("An optional property, and a declared type") { world in
  world.network.stub(.get, textAddress, responses: text)
  showDeclared(textAddress, on: OptionalImageView(), in: world)
}
// endregion

scenario.run()
