import Foundation

/// The user's browser.
enum Browser {
  /// Opens a page, if this program runs in a terminal, and there's a screen.
  ///
  /// - Returns: Whether the browser was called.
  static func open(_ address: String) -> Bool {
    guard isatty(STDOUT_FILENO) == 1, let command else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command, address]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.run()) != nil
  }

  /// The command that opens an address; `nil` if there's no screen.
  private static var command: String? {
    #if os(macOS)
      "open"
    #else
      let values = ProcessInfo.processInfo.environment
      // An editor that shows a container or another machine sets this one.
      if let browser = values["BROWSER"] { return browser }
      return (values["DISPLAY"] ?? values["WAYLAND_DISPLAY"]).map { _ in "xdg-open" }
    #endif
  }
}
