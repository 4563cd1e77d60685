import ScenarioKit

/// A picture, as a PPM file holds it: one of the plain formats of Netpbm.
struct Image: Equatable {
  /// A colour; each part goes from 0 to the image's ``maximum``.
  struct Pixel: Equatable {
    let red: Int
    let green: Int
    let blue: Int
  }

  let width: Int
  let height: Int

  /// The sample of full brightness.
  let maximum: Int

  /// Row by row, from the top.
  let pixels: [Pixel]
}

extension Image {
  /// Decodes a file, in text (P3) or in bytes (P6).
  ///
  /// - Parameter data: The file: all of it, and nothing else. What is cut short, has more behind it,
  ///   or breaks the format in another way is no image.
  init?(data: Data) {
    var reader = PPMReader(data)
    guard let format = reader.format(), let width = reader.number(in: 1...PPMReader.longestSide),
      let height = reader.number(in: 1...PPMReader.longestSide),
      let maximum = reader.number(in: 1...65_535),
      let samples = reader.samples(format, count: 3 * width * height, maximum: maximum)
    else { return nil }
    self.width = width
    self.height = height
    self.maximum = maximum
    pixels = stride(from: 0, to: samples.count, by: 3).map {
      Pixel(red: samples[$0], green: samples[$0 + 1], blue: samples[$0 + 2])
    }
  }
}
