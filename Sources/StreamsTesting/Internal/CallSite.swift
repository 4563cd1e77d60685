import Foundation
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

    private static let lines = Locked(Lines(images: images))
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
      return Self.lines.withLock { $0.innermostSource(of: backtrace) }
    #else
      return nil
    #endif
  }

  #if canImport(Runtime) && os(Linux)
    /// The place of a call; `nil` if it is in this library, or in code that the compiler made.
    fileprivate static func source(of symbol: SymbolicatedBacktrace.Symbol) -> World.Problem.Source?
    {
      guard let location = symbol.sourceLocation, location.line > 0,
        !location.path.hasPrefix(library), !location.path.hasPrefix("<")
      else { return nil }
      let file = location.path.split(separator: "/").last.map(String.init) ?? location.path
      return World.Problem.Source(
        fileID: "\(symbol.imageName)/\(file)", filePath: location.path, line: location.line)
    }
  #endif
}

#if canImport(Runtime) && os(Linux)
  /// The lines that were looked up.
  ///
  /// Looking one up reads the line tables of the whole program, which takes a twentieth of a second
  /// in a large one. So only the calls up to the user's are looked up, and each only once: a test
  /// often leaves many things that were made in one place, and the same library calls lead there.
  struct Lines {
    private let images: ImageMap
    private let onlyCall: (Backtrace, Backtrace.Frame) -> Backtrace?

    /// By the address of a call. Calls that aren't the user's have none.
    private var sources: [Backtrace.Address: World.Problem.Source?] = [:]

    init(
      images: ImageMap,
      onlyCall: @escaping (Backtrace, Backtrace.Frame) -> Backtrace? = { $0.only($1) }
    ) {
      self.images = images
      self.onlyCall = onlyCall
    }

    /// The line of the first call that is the user's.
    mutating func innermostSource(of backtrace: Backtrace) -> World.Problem.Source? {
      for call in backtrace.frames where !call.adjustedProgramCounter.isNull {
        if sources[call.adjustedProgramCounter] == nil {
          lookUp(onlyCall(backtrace, call) ?? backtrace)
        }
        if let source = sources[call.adjustedProgramCounter] ?? nil { return source }
      }
      return nil
    }

    private mutating func lookUp(_ calls: Backtrace) {
      for call in calls.frames { sources[call.adjustedProgramCounter] = .some(nil) }
      for frame in calls.symbolicated(with: images)?.frames ?? [] {
        // Calls that were inlined have one address. The innermost comes first.
        let address = frame.captured.adjustedProgramCounter
        if let symbol = frame.symbol, sources[address] == .some(nil) {
          sources[address] = .some(CallSite.source(of: symbol))
        }
      }
    }
  }

  extension Backtrace {
    /// A backtrace with only one of the calls; `nil` if this version of Swift encodes it in another
    /// way.
    ///
    /// The only ways to make a backtrace are to capture and to decode one.
    func only(_ call: Frame) -> Backtrace? {
      let kind: UInt8
      switch call {
      case .programCounter: kind = 0x10
      case .returnAddress: kind = 0x20
      case .asyncResumePoint: kind = 0x30
      default: return nil
      }
      guard let address = UInt64(call.originalProgramCounter) else { return nil }
      // Swift's Compact Backtrace Format: addresses have 64 bits; a call whose address has eight
      // bytes, the highest first; the end.
      let bytes = [0x02, kind | 0x07] + withUnsafeBytes(of: address.bigEndian) { Array($0) } + [0]
      let json = ["architecture": architecture, "backtrace": Data(bytes).base64EncodedString()]
      guard let data = try? JSONEncoder().encode(json),
        let single = try? JSONDecoder().decode(Backtrace.self, from: data),
        single.frames.map(\.description) == [call.description]
      else { return nil }
      return single
    }
  }
#endif
