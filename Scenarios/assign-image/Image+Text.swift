import ScenarioKit

extension Image {
  /// The image drawn in characters: two rows of pixels per line, dark pixels filled.
  var lines: [String] {
    stride(from: 0, to: height, by: 2).map { y in
      String(
        (0..<width).map { x -> Character in
          switch (isDark(x, y), isDark(x, y + 1)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
    }
  }

  /// Whether a pixel is closer to black than to white. Below the last row everything is white.
  private func isDark(_ x: Int, _ y: Int) -> Bool {
    guard y < height else { return false }
    let pixel = pixels[y * width + x]
    // How bright the eye sees each component, in thousandths (ITU-R BT.709).
    return 213 * pixel.red + 715 * pixel.green + 72 * pixel.blue < 500
  }
}

extension Image {
  /// The size in pixels, such as `9×8`.
  var size: String { "\(width)×\(height)" }
}
