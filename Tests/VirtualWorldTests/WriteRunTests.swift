import Foundation
import StreamsTesting
import TestSupport
import Testing

@Suite struct WriteRunTests {
  @Test func theFilesAreTheRecordSoFar() throws {
    let folder = try TemporaryFolder()
    let found = try problems { world in
      let letters = world.record(world.cold("-a|"), as: "letters")
      world.run(until: .milliseconds(1))
      try world.writeRun(to: folder.url.appendingPathComponent("one/two"), title: "Letters & more")
      world.run()
      #expect(letters.next() == .value("a", at: .milliseconds(1)))
    }
    let files = folder.files
    let names = ["picture.svg", "marbles.txt", "trace.txt", "transcript.txt"]
    #expect(Set(files.keys) == Set(names.map { "one/two/\($0)" }))
    #expect(
      files["one/two/transcript.txt"] == """
        0ms  letters  subscribed
        0ms  letters  request unlimited
        1ms  letters  value a

        """)
    #expect(files["one/two/picture.svg"]?.contains("Letters &amp; more") == true)
    // Writing doesn't count as looking.
    #expect(found.count == 1)
    #expect(found.first?.contains("didn't look at 1 event") == true)
  }

  @Test func aLongRecordHasNoPicture() throws {
    let folder = try TemporaryFolder()
    try withWorld { world in
      (1...1_000).publisher.lane("numbers").lane("the same").sink { _ in }
        .store(in: &world.cancellables)
      try world.writeRun(to: folder.url)
    }
    #expect(Set(folder.files.keys) == ["trace.txt", "transcript.txt"])
  }

  @Test func aFolderThatCannotBeMadeIsAnError() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    withWorld { world in
      _ = #expect(throws: (any Error).self) {
        try world.writeRun(to: folder.url.appendingPathComponent("file/folder"))
      }
    }
  }
}
