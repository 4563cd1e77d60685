import TestSupport
import Testing

@testable import Streams

struct SlotListTests {
  final class Item: Slotted {
    let number: Int
    let onRelease: (() -> Void)?

    init(_ number: Int, onRelease: (() -> Void)? = nil) {
      self.number = number
      self.onRelease = onRelease
    }

    deinit { onRelease?() }
  }

  /// A list in an object, as in a subject.
  final class Shelf {
    var list = SlotList<Item>()

    var numbers: [Int] {
      (0..<list.end).compactMap { list[$0]?.takeUnretainedValue().number }
    }

    func remove(_ item: Item) -> Bool {
      guard let removed = list.remove(item) else { return false }
      removed.release()
      return true
    }
  }

  let shelf = Shelf()

  @Test func keepsTheOrderWhenObjectsAreRemoved() {
    var random = SplitMix64(seed: 11)
    var model: [Item] = []
    for number in 0..<5000 {
      if model.isEmpty || Int.random(in: 0..<5, using: &random) > 1 {
        let item = Item(number)
        shelf.list.append(item)
        model.append(item)
      } else {
        let item = model.remove(at: Int.random(in: 0..<model.count, using: &random))
        #expect(shelf.remove(item))
        #expect(item.slot == Slotted.nowhere)
      }
      if Bool.random(using: &random) { shelf.list.closeHoles() }
    }
    #expect(shelf.numbers == model.map(\.number))
    for item in model { #expect(shelf.remove(item)) }
    shelf.list.closeHoles()
    #expect(shelf.list.end == 0)
  }

  @Test func anObjectThatIsNotInTheListIsNotRemoved() {
    let item = Item(1)
    #expect(!shelf.remove(item))
    shelf.list.append(item)
    #expect(shelf.remove(item))
    #expect(!shelf.remove(item))
  }

  @Test func aLoopContinuesWhileTheListGrowsAndGetsHoles() {
    let items = (0..<10).map { Item($0) }
    for item in items { shelf.list.append(item) }
    var seen: [Int] = []
    let end = shelf.list.end
    for index in 0..<end {
      guard let item = shelf.list[index]?.takeUnretainedValue() else { continue }
      seen.append(item.number)
      if item.number == 3 {
        for other in [items[2], items[3], items[5]] { #expect(shelf.remove(other)) }
        for number in 100..<200 { shelf.list.append(Item(number)) }
      }
    }
    #expect(seen == [0, 1, 2, 3, 4, 6, 7, 8, 9])
    #expect(shelf.numbers.prefix(8) == [0, 1, 4, 6, 7, 8, 9, 100])
  }

  /// Tests the places, because the content of the list doesn't show them.
  @Test func aListThatIsNeverEmptyDoesNotGrow() {
    shelf.list.append(Item(-1))
    for number in 0..<10_000 {
      let item = Item(number)
      shelf.list.append(item)
      #expect(shelf.remove(item))
      shelf.list.closeHoles()
      #expect(shelf.list.end <= 4)
    }
    #expect(shelf.numbers == [-1])
  }

  @Test func releasesItsMemory() {
    let items = (0..<1000).map { Item($0) }
    for item in items { shelf.list.append(item) }
    for item in items {
      #expect(shelf.remove(item))
      shelf.list.closeHoles()
    }
    #expect(shelf.list.capacity <= 64)
  }

  @Test func releasesItsObjectsWithItself() {
    let log = CallLog()
    do {
      let shelf = Shelf()
      for number in 0..<3 { shelf.list.append(Item(number) { log.append("\(number)") }) }
      #expect(log.lines == [])
    }
    #expect(log.lines == ["0", "1", "2"])
  }
}
