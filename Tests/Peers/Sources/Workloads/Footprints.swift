import PeerSupport

/// Subscriptions that stay alive. The figure is the memory that each keeps.
enum Footprints {
  static var all: [Footprint] {
    let subject = PassthroughSubject<Int, Never>()
    return [
      Footprint("subject, sink") { count in
        (0..<count).map { _ in subject.sink { Closures.total &+= $0 } }
      },
      Footprint("subject, map, sink") { count in
        (0..<count).map { _ in subject.map { $0 &+ 1 }.sink { Closures.total &+= $0 } }
      },
      Footprint("subject, 5 maps, sink") { count in
        (0..<count).map { _ in
          subject.map { $0 &+ 1 }.map { $0 &+ 2 }.map { $0 &+ 3 }.map { $0 &+ 4 }.map { $0 &+ 5 }
            .sink { Closures.total &+= $0 }
        }
      },
      Footprint("subject, filter, sink") { count in
        (0..<count).map { _ in subject.filter { $0 > 0 }.sink { Closures.total &+= $0 } }
      },
      Footprint("subject, scan, sink") { count in
        (0..<count).map { _ in subject.scan(0) { $0 &+ $1 }.sink { Closures.total &+= $0 } }
      },
      Footprint("subject, removeDuplicates, sink") { count in
        (0..<count).map { _ in subject.removeDuplicates().sink { Closures.total &+= $0 } }
      },
      Footprint("subject, buffer, sink") { count in
        (0..<count).map { _ in
          subject.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest)
            .sink { Closures.total &+= $0 }
        }
      },
      Footprint("subject, flatMap { Just }, sink") { count in
        (0..<count).map { _ in subject.flatMap { Just($0) }.sink { Closures.total &+= $0 } }
      },
      Footprint("two subjects, zip, sink") { count in
        (0..<count).map { _ in subject.zip(subject).sink { Closures.total &+= $0 &+ $1 } }
      },
    ]
  }
}
