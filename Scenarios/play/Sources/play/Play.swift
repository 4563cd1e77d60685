import ArgumentParser
import Foundation

/// Shows a program on a page, and shows it again whenever its code changes.
@main
struct Play: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a program on the stage: drag what happens, and see what follows.")

  @Argument(help: "The program: an executable product of the package that calls Scenario.run().")
  var program: String

  @Option(help: "The folder of its package.")
  var package = "."

  @Option(help: "A folder of the package whose Swift files are watched. Can be given often.")
  var watch = ["Sources"]

  @Option(help: "The port of the page; 0 for a free one.")
  var port: UInt16 = 0

  @Flag(inversion: .prefixedNo, help: "Open the page in a browser, if there's a screen.")
  var open = ProcessInfo.processInfo.environment["CI"] == nil

  func run() async throws {
    // A program or a page that has gone must not end this one.
    signal(SIGPIPE, SIG_IGN)
    let folder = URL(fileURLWithPath: package).standardizedFileURL.resolvingSymlinksInPath()
    guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
    else {
      throw PlayError("\(folder.path) has no Package.swift. Name the folder of a package")
    }
    let stage = Stage()
    let performer = try Performer(
      program: program, package: folder, watching: watch, stage: stage)
    let server = try PlayServer(stage: stage, performer: performer, port: port)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask {
        announce(try await server.address())
        try await performer.run()
      }
      group.addTask { try await performer.endStuckRuns() }
      group.addTask { await Signals.end { await performer.end() } }
      // The first error ends all of them.
      for try await _ in group {}
    }
  }

  private func announce(_ address: String) {
    let isOpen = open && Browser.open(address)
    print("\(isOpen ? "Opened" : "Open") \(address) in a browser. Ctrl-C ends it.")
    fflush(nil)
  }
}
