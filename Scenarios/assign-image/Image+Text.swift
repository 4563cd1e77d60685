import ScenarioKit

extension Image {
  /// The image in characters, two rows of pixels a line: what is dark is drawn.
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

  /// Whether a pixel is closer to black than to white; what lies below the last row is white.
  private func isDark(_ x: Int, _ y: Int) -> Bool {
    guard y < height else { return false }
    let pixel = pixels[y * width + x]
    // How bright the eye finds the three, in thousandths (ITU-R BT.709).
    let brightness = 213 * pixel.red + 715 * pixel.green + 72 * pixel.blue
    return 2 * brightness < 1000 * maximum
  }
}
