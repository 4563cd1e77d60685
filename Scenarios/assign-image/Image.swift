import ScenarioKit

// region: image
/// Stands for `UIImage`, which Linux doesn't have.
struct Image: Equatable, CustomStringConvertible {
  /// What a view shows until it has an image.
  static let placeholder = Image(description: "the placeholder")

  let description: String
}
// endregion

extension Image {
  /// The first bytes of each PNG file, and the chunk at its end.
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
  /// Before the end there's at least the signature, and a header of 25 bytes.
  private static let shortest = 8 + 25 + 12

  /// Reads the size of a PNG file. Returns `nil` if the data isn't a whole one.
  ///
  /// - Parameter data: The whole file.
  init?(data: Data) {
    guard data.count >= Self.shortest, data.starts(with: Self.signature),
      data.suffix(Self.end.count).elementsEqual(Self.end)
    else { return nil }
    func number(at offset: Int) -> Int {
      data.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    description = "\(number(at: 16))×\(number(at: 20)) pixels"
  }
}
