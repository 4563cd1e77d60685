import VirtualTime

extension StubResponse {
  /// The same response, with the times that a script gives its parts. Those that come after a part
  /// that's moved keep their distance to it.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - address: The address of the request.
  ///   - start: When the request and its body are sent.
  func moved(by script: Script, as address: String, from start: VirtualTime) -> StubResponse {
    var time = start
    var chunks = 0
    var isFirst = true
    let moved = steps.map { delay, step in
      let earliest = time
      time = time.advanced(by: delay)
      let thing: (address: String, words: String)?
      switch step {
      case .sent: thing = nil
      case .response, .fail, .finish:
        thing =
          isFirst
          ? (address, "the response to \(address)")
          : delay > .zero ? ("the end of \(address)", "the end of \(address)") : nil
        isFirst = false
      case .chunk:
        chunks += 1
        let name = "chunk \(chunks) of \(address)"
        thing = delay > .zero ? (name, name) : nil
      }
      if let thing {
        time = script.time(
          of: .response, thing.address, thing.words, usual: time, in: earliest...VirtualTime.max,
          bounds: .init(after: earliest == start ? "its request" : "what comes before it"))
      }
      return (delay: earliest.distance(to: time), step: step)
    }
    return StubResponse(moved).afterUpload(upload)
  }
}
