import Streams
import VirtualWorld

#if canImport(Runtime) && os(Linux)
  import Runtime
#endif

/// The place in the user's code that called this library.
///
/// Taking one costs microseconds. Looking up its line costs much more, and is done only for a
/// report.
struct CallSite: World.Site {
  #if canImport(Runtime) && os(Linux)
    private let backtrace: Backtrace?

    // Read once, because it takes longer than all the rest.
    private static let images = ImageMap.capture()

    /// The sources that were looked up before, by the addresses of the calls. Looking one up takes
    /// about a tenth of a second, and a test often leaves many things that were made in one place.
    private static let sources = Locked<[[Backtrace.Address]: World.Problem.Source?]>([:])
  #endif

  /// The folder of this library's sources, whose frames aren't the user's.
  private static let library: String = {
    // …/Sources/StreamsTesting/Internal/CallSite.swift
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/") + "/"
  }()

  /// Takes the place of the current call.
  init() {
    #if canImport(Runtime) && os(Linux)
      backtrace = try? Backtrace.capture(
        algorithm: .auto, limit: 64, offset: 0, top: 0, images: Self.images)
    #endif
  }

  /// The file and line; `nil` if the program has no debug information.
  var source: World.Problem.Source? {
    #if canImport(Runtime) && os(Linux)
      guard let backtrace else { return nil }
      let addresses = backtrace.frames.map { $0.originalProgramCounter }
      return Self.sources.withLock { sources in
        if let known = sources[addresses] { return known }
        let source = Self.lookUp(backtrace)
        sources[addresses] = .some(source)
        return source
      }
    #else
      return nil
    #endif
  }

  #if canImport(Runtime) && os(Linux)
    private static func lookUp(_ backtrace: Backtrace) -> World.Problem.Source? {
      guard let frames = backtrace.symbolicated(with: images)?.frames else { return nil }
      for frame in frames {
        guard let symbol = frame.symbol, let location = symbol.sourceLocation, location.line > 0,
          !location.path.hasPrefix(library), !location.path.hasPrefix("<")
        else { continue }
        let file = location.path.split(separator: "/").last.map(String.init) ?? location.path
        return World.Problem.Source(
          fileID: "\(symbol.imageName)/\(file)", filePath: location.path, line: location.line)
      }
      return nil
    }
  #endif
}
