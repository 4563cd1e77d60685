import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

/// Measured in processes of their own, because other tests open files and use memory too.
@Suite struct ResourceTests {
  @Test func manyRequestsLeakNeitherFilesNorMemory() async {
    await #expect(processExitsWith: .success) {
      // The first requests warm up, and the second ones are measured.
      try makeRequests(500)
      let (files, memory) = (openFiles(), residentMegabytes())
      try makeRequests(2_000)
      let (moreFiles, moreMemory) = (openFiles() - files, residentMegabytes() - memory)
      #expect(moreFiles < 20, "\(moreFiles) more open files")
      #expect(moreMemory < 50, "\(moreMemory) MB more memory")
    }
  }

  @Test func manyNetworksLeakNoFiles() async {
    await #expect(processExitsWith: .success) {
      try makeNetworks(20)
      let files = openFiles()
      try makeNetworks(300)
      let moreFiles = openFiles() - files
      #expect(moreFiles < 20, "\(moreFiles) more open files")
    }
  }
}

private func makeRequests(_ count: Int) throws {
  let clock = VirtualTimeScheduler()
  let network = StubNetwork(clock: clock)
  network.stub(
    .get, "https://example.com/user",
    responses: .json(#"{"name":"Ada"}"#, after: .milliseconds(10)).repeating)
  let session = network.makeSession()
  for _ in 0..<count {
    let recorder = Recorder(clock)
    session.dataTaskPublisher(for: .example("user")).subscribe(recorder)
    clock.run()
    #expect(recorder.lines.count == 3)
  }
  try network.verify()
}

private func makeNetworks(_ count: Int) throws {
  for _ in 0..<count {
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    network.stub(.get, "https://example.com/user", responses: .text("", after: .seconds(1)))
    // Left open, because releasing the network must end it.
    network.makeSession().dataTaskPublisher(for: .example("user")).subscribe(Recorder(clock))
    clock.settle()
  }
}

private func openFiles() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

private func residentMegabytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  let words = line?.split(whereSeparator: \.isWhitespace) ?? []
  return words.compactMap { Int($0) }.reduce(0, +) / 1_024
}
