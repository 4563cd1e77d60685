import ScenarioKit
import Testing

@testable import assign_image

/// Which files are images, what they look like, and what becomes of a `nil` in an optional
/// property.
@Suite struct AssignImageTests {
  typealias Pixel = assign_image.Image.Pixel
  typealias Image = assign_image.Image

  private func image(_ text: String) -> Image? { Image(data: Data(text.utf8)) }

  // MARK: Images

  @Test func pixelsAreReadRowByRow() {
    #expect(
      image("P3\n2 2\n1\n1 0 0  0 1 0\n0 0 1  1 1 1\n")
        == Image(
          width: 2, height: 2,
          pixels: [
            Pixel(red: 1, green: 0, blue: 0), Pixel(red: 0, green: 1, blue: 0),
            Pixel(red: 0, green: 0, blue: 1), Pixel(red: 1, green: 1, blue: 1),
          ]))
  }

  @Test func aSliceOfDataIsReadFromItsStart() {
    let data = Data("before P3 1 1 1 1 0 1".utf8)
    #expect(Image(data: data.dropFirst(7))?.pixels == [Pixel(red: 1, green: 0, blue: 1)])
  }

  @Test func theHeartIsAnImageAndNoPrefixOfItIs() {
    #expect(heart.last == UInt8(ascii: "\n"))
    #expect(Image(data: heart)?.pixels.count == 72)
    #expect(Image(data: heart.dropLast()) != nil)
    for count in 0..<(heart.count - 1) { #expect(Image(data: heart.prefix(count)) == nil) }
  }

  // MARK: Other data

  @Test(arguments: [
    "", "P", "P3", "No heart today.", "<h1>No such page</h1>", "p3 1 1 1 0 0 0", "P31 1 1 0 0 0",
    "P3 0 1 1", "P3 1 0 1", "P3 -1 1 1 0 0 0", "P3 1.0 1 1 0 0 0", "P3 1 1 1 0 0",
    "P3 1 1 1 0 0 0 0", "P3 1 1 1 0 0 -0", "P3 1 1 1 0 0 2", "P3 1 1 1 0 0 0 x", "P3 1 1 1 0 0 0x",
    "P3 10001 1 1 0 0 0", "P3 10000 10000 1 0 0 0", "P3 99999999999999999999 1 1 0 0 0",
  ])
  func incompleteOrOtherDataAreRefused(text: String) {
    #expect(image(text) == nil)
  }

  @Test(arguments: ["P6 1 1 1 0 0 0", "P3 1 1 255 0 0 0", "P3 # red\n1 1 1 1 0 0"])
  func otherVariantsOfTheFormatAreRefused(text: String) {
    #expect(image(text) == nil)
  }

  // MARK: Drawing

  @Test func darkPixelsAreDrawnTwoRowsPerLine() {
    let black = "0 0 0 "
    let white = "1 1 1 "
    #expect(
      image("P3 4 2 1 " + black + black + white + white + black + white + black + white)?.lines
        == ["█▀▄ "])
  }

  @Test func belowTheLastOfAnOddNumberOfRowsEverythingIsWhite() {
    #expect(image("P3 1 3 1 " + "0 0 0 " + "0 0 0 " + "0 0 0")?.lines == ["█", "▀"])
  }

  @Test(arguments: [("1 0 0", "▀"), ("0 1 0", " "), ("0 0 1", "▀"), ("1 0 1", "▀")])
  func greenIsBrighterThanRedAndBlue(colour: String, drawn: String) {
    #expect(image("P3 1 1 1 " + colour)?.lines == [drawn])
  }

  // MARK: Optional properties

  @Test func aClosureOfOneExpressionLeavesTheOptionalPropertyAlone() {
    let view = OptionalImageView()
    let subscription = Just(Data()).compactMap { Image(data: $0) }.assign(to: \.image, on: view)
    withExtendedLifetime(subscription) { #expect(view.image == .frame) }
  }

  @Test func aClosureOfTwoStatementsEmptiesTheOptionalProperty() {
    let view = OptionalImageView()
    let subscription = Just(Data())
      .compactMap { data in
        #expect(data.isEmpty)
        return Image(data: data)
      }
      .assign(to: \.image, on: view)
    withExtendedLifetime(subscription) { #expect(view.image == nil) }
  }
}
