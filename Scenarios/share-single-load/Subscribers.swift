import ScenarioKit

// region: subscribers
func subscribeTwice(to load: some Publisher<Load, URLError>, in world: World) {
  load
    .tryMap { load -> Data in
      if load.data.isEmpty { throw URLError(.zeroByteResource) }
      return load.data
    }
    .decode(type: User.self, decoder: JSONDecoder())
    .receive(on: DispatchQueue.main)
    .sink(
      receiveCompletion: { print("completion 1:", $0) },
      receiveValue: { print("user:", $0.userID) }
    )
    .store(in: &world.cancellables)

  load
    .map { $0.response }
    .sink(
      receiveCompletion: { print("completion 2:", $0) },
      receiveValue: { response in
        if let response = response as? HTTPURLResponse {
          print("status:", response.statusCode)
        } else {
          print("not an HTTP response")
        }
      }
    )
    .store(in: &world.cancellables)
}
// endregion
