import Streams
import StreamsFoundation
import Testing

/// If these fail, Swift has changed, and `currentTaskName` needs another way to tell tasks apart.
@Suite struct SchedulingScopeTests {
  private static var name: String? { SchedulingScope.currentTaskName }

  @Test func eachTaskHasANameThatStaysTheSame() async {
    let name = Self.name
    await Task.yield()
    #expect(Self.name == name)
    async let child = Self.name
    let children = await withTaskGroup(of: String?.self) { group in
      for _ in 1...3 { group.addTask { Self.name } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let others = [await child] + children + [await Task { Self.name }.value]
    let all = ([name] + others).compactMap(\.self)
    #expect(Set(all).count == 6)
    #expect(Self.name == name)
  }

  /// Swift often gives a task the address of one that has ended.
  @Test func aTaskAtTheAddressOfAnEarlierOneHasAnotherName() async {
    var names: [Int: Set<String>] = [:]
    for _ in 1...200 {
      let (address, name) = await Task { (SchedulingScope.currentTask, Self.name) }.value
      if let address, let name { names[address, default: []].insert(name) }
    }
    #expect(names.values.reduce(0) { $0 + $1.count } == 200)
    #expect(names.count < 200)
  }

  @Test func codeOutsideATaskHasNoName() {
    let names = Locked<[String?]>([])
    let thread = Thread { names.withLock { $0.append(Self.name) } }
    thread.start()
    while names.withLock({ $0.isEmpty }) {}
    #expect(names.withLock { $0 } == [nil])
  }
}
