import VirtualWorld

#if canImport(Runtime)
  import Runtime
#endif

/// The place in the user's code that called this library.
///
/// Taking one costs microseconds. Looking up its line costs much more, and is done only for a report.
struct CallSite: Sendable {
  #if canImport(Runtime)
    private let backtrace: Backtrace?

    // Read once, because it takes longer than all the rest.
    private static let images = ImageMap.capture()
  #endif

  /// The sources of this library, whose frames aren't the user's.
  private static let library: String = {
    let path = #filePath
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // …/Sources/StreamsTesting/Internal/CallSite.swift
    return parts.dropLast(3).joined(separator: "/") + "/"
  }()

  /// Takes the place of the current call.
  init() {
    #if canImport(Runtime)
      backtrace = try? Backtrace.capture(
        algorithm: .auto, limit: 64, offset: 0, top: 0, images: Self.images)
    #endif
  }

  /// The file and line; `nil` if the program has no debug information.
  var source: World.Problem.Source? {
    #if canImport(Runtime)
      guard let frames = backtrace?.symbolicated(with: Self.images)?.frames else { return nil }
      for frame in frames {
        guard let symbol = frame.symbol, let location = symbol.sourceLocation, location.line > 0,
          !location.path.hasPrefix(Self.library), !location.path.hasPrefix("<")
        else { continue }
        let file = location.path.split(separator: "/").last.map(String.init) ?? location.path
        return World.Problem.Source(
          fileID: "\(symbol.imageName)/\(file)", filePath: location.path, line: location.line)
      }
    #endif
    return nil
  }
}
