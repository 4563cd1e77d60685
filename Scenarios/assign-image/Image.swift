import ScenarioKit

/// A picture in which each pixel has its red, green and blue either on or off.
struct Image: Equatable {
  /// A colour. Each component is 0 or 1.
  struct Pixel: Equatable {
    let red: Int
    let green: Int
    let blue: Int
  }

  let width: Int
  let height: Int

  /// Row by row, from the top.
  let pixels: [Pixel]
}

extension Image {
  /// The longest side of a picture, in pixels. It keeps the number of samples from overflowing.
  private static let longestSide = 10_000

  /// Reads a picture in the plain PPM format, one of Netpbm's, with a maximum of 1.
  ///
  /// Such a file holds `P3`, the width, the height, `1` and then three samples for each pixel,
  /// separated by spaces and line feeds. Returns `nil` if the data is anything else: another
  /// variant of the format, a file that's cut short, or one with more samples than pixels.
  ///
  /// - Parameter data: The whole file.
  init?(data: Data) {
    let words = String(decoding: data, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard words.count > 4, words[0] == "P3", words[3] == "1",
      let width = Int(words[1]), (1...Self.longestSide).contains(width),
      let height = Int(words[2]), (1...Self.longestSide).contains(height)
    else { return nil }
    let samples = words.dropFirst(4).compactMap { ["0": 0, "1": 1][$0] }
    guard samples.count == words.count - 4, samples.count == 3 * width * height else { return nil }
    self.width = width
    self.height = height
    pixels = stride(from: 0, to: samples.count, by: 3).map {
      Pixel(red: samples[$0], green: samples[$0 + 1], blue: samples[$0 + 2])
    }
  }
}

extension Image {
  /// An empty frame of the heart's size, which a view shows until it has an image.
  static let frame = Image(
    width: 9, height: 8,
    pixels: (0..<8).flatMap { y in
      (0..<9).map { x in
        let sample = x == 0 || x == 8 || y == 0 || y == 7 ? 0 : 1
        return Pixel(red: sample, green: sample, blue: sample)
      }
    })
}
