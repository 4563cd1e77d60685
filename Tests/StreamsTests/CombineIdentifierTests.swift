import Streams
import TestSupport
import Testing

@Suite struct CombineIdentifierTests {
  final class Identified: CustomCombineIdentifierConvertible {}

  @Test func identifiersAreUnique() {
    let all = Locked<Set<CombineIdentifier>>([])
    onThreads(4) { _ in
      let own = (0..<1000).map { _ in CombineIdentifier() }
      all.withLock { $0.formUnion(own) }
    }
    expectEqual(all.withLock { $0.count }, 4000)
  }

  @Test func theIdentifierOfAnObjectIsItsAddress() {
    let first = Identified()
    let second = Identified()
    expectEqual(first.combineIdentifier, CombineIdentifier(first))
    expectEqual(first.combineIdentifier.hashValue, CombineIdentifier(first).hashValue)
    #expect(first.combineIdentifier != second.combineIdentifier)
    let address = UInt(bitPattern: ObjectIdentifier(first))
    expectEqual(first.combineIdentifier.description, "0x" + String(address, radix: 16))
  }
}
