import Foundation
import Testing

@testable import assign_image

/// Which data is an image, and how images are drawn.
@Suite struct AssignImageTests {
  typealias Pixel = assign_image.Image.Pixel
  typealias Image = assign_image.Image

  private func image(_ text: String) -> Image? { Image(data: Data(text.utf8)) }

  private func image(_ head: String, _ samples: [UInt8]) -> Image? {
    Image(data: Data(head.utf8) + Data(samples))
  }

  // MARK: Images

  @Test func aTextImageIsDecodedRowByRow() {
    let decoded = image("P3\n2 2\n255\n255 0 0  0 255 0\n0 0 255  1 2 3\n")
    #expect(
      decoded
        == Image(
          width: 2, height: 2, maximum: 255,
          pixels: [
            Pixel(red: 255, green: 0, blue: 0), Pixel(red: 0, green: 255, blue: 0),
            Pixel(red: 0, green: 0, blue: 255), Pixel(red: 1, green: 2, blue: 3),
          ]))
  }

  @Test(arguments: [
    "P3 1 1 9 1 2 3", "P3\r\n1\t1\n9\n1\n2\n3\n\n", "P3\n# a comment\n1 1 # another\n9 1 2 3",
    "P3#at once\n1 1 9 1 2 3", "P3 01 1 9 001 2 3",
  ])
  func theHeaderMayContainAnySpaceAndComments(text: String) {
    #expect(
      image(text)
        == Image(width: 1, height: 1, maximum: 9, pixels: [Pixel(red: 1, green: 2, blue: 3)]))
  }

  @Test func aBinaryImageIsDecoded() {
    #expect(
      image("P6 1 2 255\n", [1, 2, 3, 253, 254, 255])
        == Image(
          width: 1, height: 2, maximum: 255,
          pixels: [Pixel(red: 1, green: 2, blue: 3), Pixel(red: 253, green: 254, blue: 255)]))
  }

  @Test func aMaximumAbove255TakesTwoBytesPerSample() {
    #expect(
      image("P6 1 1 256\n", [0, 255, 1, 0, 0, 7])
        == Image(width: 1, height: 1, maximum: 256, pixels: [Pixel(red: 255, green: 256, blue: 7)]))
  }

  @Test func bytesThatLookLikeSpaceOrACommentAreSamples() {
    #expect(
      image("P6 1 1 255 ", Array("\n# ".utf8))
        == Image(
          width: 1, height: 1, maximum: 255, pixels: [Pixel(red: 10, green: 35, blue: 32)]))
  }

  @Test func aSliceOfDataIsDecodedFromItsStart() {
    let data = Data("before P3 1 1 1 1 0 1".utf8)
    #expect(Image(data: data.dropFirst(7))?.pixels == [Pixel(red: 1, green: 0, blue: 1)])
  }

  // MARK: Invalid data

  @Test(arguments: [
    "", "P", "P3", "No heart today.", "<h1>No such page</h1>", "P5 1 1 1 0 0 0", "p3 1 1 1 0 0 0",
    " P3 1 1 1 0 0 0", "P31 1 1 0 0 0", "P3 0 1 1", "P3 1 0 1", "P3 1 1 0 0 0 0",
    "P3 1 1 65536 0 0 0", "P3 -1 1 1 0 0 0", "P3 1 1 1 0 0 -0", "P3 1 1 1 +1 0 0",
    "P3 1 1 1 0 0", "P3 1 1 1 0 0 0 0", "P3 1 1 1 0 0 2", "P3 1 1 1 0 0 0 x", "P3 1 1 1 0 0 0x",
    "P3 1 1 1 0 # no comment here\n0 0", "P3 1 1 1 0 0 0 # nor here", "P3 1.0 1 1 0 0 0",
    "P3 16385 1 1 0 0 0", "P3 16384 16384 1 0 0 0", "P3 99999999999999999999 1 1 0 0 0",
  ])
  func dataThatBreaksTheFormatIsNotAnImage(text: String) {
    #expect(image(text) == nil)
  }

  @Test func theNumberOfBytesMustBeExact() {
    #expect(image("P6 1 1 9\n", [1, 2]) == nil)
    #expect(image("P6 1 1 9\n", [1, 2, 3]) != nil)
    #expect(image("P6 1 1 9\n", [1, 2, 3, 4]) == nil)
    #expect(image("P6 1 1 9\n", [1, 2, 10]) == nil)
    #expect(image("P6 1 1 300\n", [1, 2, 3]) == nil)
    #expect(image("P6 1 1 300\n", [1, 44, 1, 44, 1, 45]) == nil)
    #expect(image("P6 1 1 9", []) == nil)
    #expect(image("P6 1 1 9", [1, 1, 2, 3]) == nil)
    #expect(image("P6 16384 16384 255\n", [1, 2, 3]) == nil)
  }

  @Test func aTruncatedImageIsNotAnImage() {
    #expect(heart.last == UInt8(ascii: "\n"))
    #expect(Image(data: heart)?.pixels.count == 72)
    #expect(Image(data: heart.dropLast()) != nil)
    for count in 0..<(heart.count - 1) { #expect(Image(data: heart.prefix(count)) == nil) }
  }

  // MARK: Drawing

  @Test func eachLineDrawsTheDarkPixelsOfTwoRows() {
    let black = "0 0 0 "
    let white = "1 1 1 "
    #expect(
      image("P3 4 2 1 " + black + black + white + white + black + white + black + white)?.lines
        == ["█▀▄ "])
  }

  @Test func anOddLastRowIsDrawnAsTheUpperHalf() {
    #expect(image("P3 1 3 1 " + "0 0 0 " + "0 0 0 " + "0 0 0")?.lines == ["█", "▀"])
  }

  @Test(arguments: [
    ("255 0 0", "▀"), ("0 255 0", " "), ("0 0 255", "▀"), ("127 127 127", "▀"),
    ("128 128 128", " "),
  ])
  func greenIsBrighterThanRedAndBlue(colour: String, drawn: String) {
    #expect(image("P3 1 1 255 " + colour)?.lines == [drawn])
  }
}
