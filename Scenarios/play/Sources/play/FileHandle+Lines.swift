import Foundation

extension FileHandle {
  /// Reads lines until the end. It blocks, so call it on a thread of your own.
  func readLines(_ receive: (String) -> Void) {
    var rest = Data()
    while case let data = availableData, !data.isEmpty {
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        receive(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
      }
    }
    if !rest.isEmpty { receive(String(decoding: rest, as: UTF8.self)) }
  }
}
