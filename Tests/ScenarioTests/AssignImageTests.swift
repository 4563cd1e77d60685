import ScenarioKit
import Testing

@testable import assign_image

/// Which files are images, and what becomes of a `nil` in an optional property.
@Suite struct AssignImageTests {
  typealias Image = assign_image.Image

  // MARK: Images

  @Test func theHeartIsAnImageOfItsSize() {
    #expect(Image(data: heart)?.description == "9×8 pixels")
  }

  @Test func aSliceOfDataIsReadFromItsStart() {
    let data = Data("before".utf8) + heart
    #expect(Image(data: data.dropFirst(6)) == Image(data: heart))
  }

  // MARK: Other data

  @Test func noPrefixOfTheHeartIsAnImage() {
    for count in 0..<heart.count { #expect(Image(data: heart.prefix(count)) == nil) }
  }

  @Test func aFileWithoutItsBeginningIsRefused() {
    for count in 1...heart.count { #expect(Image(data: heart.dropFirst(count)) == nil) }
  }

  @Test(arguments: ["", "PNG", "No heart today.", "<h1>No such page</h1>"])
  func textIsRefused(text: String) {
    #expect(Image(data: Data(text.utf8)) == nil)
  }

  @Test func aFileWithoutAHeaderIsRefused() {
    #expect(Image(data: heart.prefix(8) + heart.suffix(12)) == nil)
  }

  // MARK: Optional properties

  @Test func aClosureOfOneExpressionLeavesTheOptionalPropertyAlone() {
    let view = OptionalImageView()
    let subscription = Just(Data()).compactMap { Image(data: $0) }.assign(to: \.image, on: view)
    withExtendedLifetime(subscription) { #expect(view.image == .placeholder) }
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
