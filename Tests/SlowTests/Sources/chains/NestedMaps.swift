import Streams

/// Publishers nested by hand, which are never fused into one stage.
enum NestedMaps {
  static func report() {
    Report.print("nested maps, 20", attach: twenty)
    Report.print("nested maps, 40", attach: forty)
  }

  private static func twenty(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let map1 = Publishers.Map(upstream: numbers) { $0 &+ 1 }
    let map2 = Publishers.Map(upstream: map1) { $0 &+ 2 }
    let map3 = Publishers.Map(upstream: map2) { $0 &+ 3 }
    let map4 = Publishers.Map(upstream: map3) { $0 &+ 4 }
    let map5 = Publishers.Map(upstream: map4) { $0 &+ 5 }
    let map6 = Publishers.Map(upstream: map5) { $0 &+ 6 }
    let map7 = Publishers.Map(upstream: map6) { $0 &+ 7 }
    let map8 = Publishers.Map(upstream: map7) { $0 &+ 8 }
    let map9 = Publishers.Map(upstream: map8) { $0 &+ 9 }
    let map10 = Publishers.Map(upstream: map9) { $0 &+ 10 }
    let map11 = Publishers.Map(upstream: map10) { $0 &+ 11 }
    let map12 = Publishers.Map(upstream: map11) { $0 &+ 12 }
    let map13 = Publishers.Map(upstream: map12) { $0 &+ 13 }
    let map14 = Publishers.Map(upstream: map13) { $0 &+ 14 }
    let map15 = Publishers.Map(upstream: map14) { $0 &+ 15 }
    let map16 = Publishers.Map(upstream: map15) { $0 &+ 16 }
    let map17 = Publishers.Map(upstream: map16) { $0 &+ 17 }
    let map18 = Publishers.Map(upstream: map17) { $0 &+ 18 }
    let map19 = Publishers.Map(upstream: map18) { $0 &+ 19 }
    let map20 = Publishers.Map(upstream: map19) { $0 &+ 20 }
    return map20.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }

  private static func forty(
    _ numbers: PassthroughSubject<Int, Never>, _ report: Report
  ) -> AnyCancellable {
    let map1 = Publishers.Map(upstream: numbers) { $0 &+ 1 }
    let map2 = Publishers.Map(upstream: map1) { $0 &+ 2 }
    let map3 = Publishers.Map(upstream: map2) { $0 &+ 3 }
    let map4 = Publishers.Map(upstream: map3) { $0 &+ 4 }
    let map5 = Publishers.Map(upstream: map4) { $0 &+ 5 }
    let map6 = Publishers.Map(upstream: map5) { $0 &+ 6 }
    let map7 = Publishers.Map(upstream: map6) { $0 &+ 7 }
    let map8 = Publishers.Map(upstream: map7) { $0 &+ 8 }
    let map9 = Publishers.Map(upstream: map8) { $0 &+ 9 }
    let map10 = Publishers.Map(upstream: map9) { $0 &+ 10 }
    let map11 = Publishers.Map(upstream: map10) { $0 &+ 11 }
    let map12 = Publishers.Map(upstream: map11) { $0 &+ 12 }
    let map13 = Publishers.Map(upstream: map12) { $0 &+ 13 }
    let map14 = Publishers.Map(upstream: map13) { $0 &+ 14 }
    let map15 = Publishers.Map(upstream: map14) { $0 &+ 15 }
    let map16 = Publishers.Map(upstream: map15) { $0 &+ 16 }
    let map17 = Publishers.Map(upstream: map16) { $0 &+ 17 }
    let map18 = Publishers.Map(upstream: map17) { $0 &+ 18 }
    let map19 = Publishers.Map(upstream: map18) { $0 &+ 19 }
    let map20 = Publishers.Map(upstream: map19) { $0 &+ 20 }
    let map21 = Publishers.Map(upstream: map20) { $0 &+ 21 }
    let map22 = Publishers.Map(upstream: map21) { $0 &+ 22 }
    let map23 = Publishers.Map(upstream: map22) { $0 &+ 23 }
    let map24 = Publishers.Map(upstream: map23) { $0 &+ 24 }
    let map25 = Publishers.Map(upstream: map24) { $0 &+ 25 }
    let map26 = Publishers.Map(upstream: map25) { $0 &+ 26 }
    let map27 = Publishers.Map(upstream: map26) { $0 &+ 27 }
    let map28 = Publishers.Map(upstream: map27) { $0 &+ 28 }
    let map29 = Publishers.Map(upstream: map28) { $0 &+ 29 }
    let map30 = Publishers.Map(upstream: map29) { $0 &+ 30 }
    let map31 = Publishers.Map(upstream: map30) { $0 &+ 31 }
    let map32 = Publishers.Map(upstream: map31) { $0 &+ 32 }
    let map33 = Publishers.Map(upstream: map32) { $0 &+ 33 }
    let map34 = Publishers.Map(upstream: map33) { $0 &+ 34 }
    let map35 = Publishers.Map(upstream: map34) { $0 &+ 35 }
    let map36 = Publishers.Map(upstream: map35) { $0 &+ 36 }
    let map37 = Publishers.Map(upstream: map36) { $0 &+ 37 }
    let map38 = Publishers.Map(upstream: map37) { $0 &+ 38 }
    let map39 = Publishers.Map(upstream: map38) { $0 &+ 39 }
    let map40 = Publishers.Map(upstream: map39) { $0 &+ 40 }
    return map40.sink(receiveCompletion: report.completion, receiveValue: report.value)
  }
}
