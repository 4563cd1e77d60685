import Glibc
import Streams

@inline(never) func opaque<A, B>(_ f: @escaping (A) -> B) -> (A) -> B { f }
nonisolated(unsafe) var total = 0
func time(_ f: () -> Void) -> Double {
  var a = timespec(), b = timespec()
  clock_gettime(CLOCK_MONOTONIC, &a); f(); clock_gettime(CLOCK_MONOTONIC, &b)
  return Double((b.tv_sec-a.tv_sec)*1_000_000_000 + (b.tv_nsec-a.tv_nsec))
}
func median(_ x: [Double]) -> Double { x.sorted()[x.count/2] }
let n = 1_000_000
func report(_ name: String, _ a: () -> Void, _ b: () -> Void, _ per: Int = n) {
  var x: [Double] = [], y: [Double] = []
  for _ in 0..<15 { x.append(time(a)/Double(per)); y.append(time(b)/Double(per)) }
  print(name, "loop", median(x), "streams", median(y), "ratio", median(y)/median(x))
}
@inline(never) func w1loop(_ f: (Int)->Int, _ g: (Int)->Bool, _ h: (Int)->Int, _ s: (Int)->Void) {
  for i in 0..<n { let a = f(i); if g(a) { s(h(a)) } }
}
extension Publisher { @inlinable @inline(__always) func gmap<T>(_ f: @escaping (Output)->T) -> Publishers.Map<Self, T> { map(f) }
@inlinable @inline(__always) func gfilter(_ f: @escaping (Output)->Bool) -> Publishers.Filter<Self> { filter(f) } }
@inline(never) func w1(_ f: @escaping (Int)->Int, _ g: @escaping (Int)->Bool, _ h: @escaping (Int)->Int, _ s: @escaping (Int)->Void) {
  let c = (0..<n).publisher.gmap(f).gfilter(g).gmap(h).sink(receiveValue: s)
  withExtendedLifetime(c) {}
}
@inline(never) func w1literal() {
  let c = (0..<n).publisher.gmap { $0 &* 3 }.gfilter { $0 & 1 == 0 }.gmap { $0 &+ 1 }.sink { total &+= $0 }
  withExtendedLifetime(c) {}
}
@inline(never) func mf() -> (Int)->Int { { $0 &* 3 } }
@inline(never) func mg() -> (Int)->Bool { { $0 & 3 != 0 } }
@inline(never) func mh() -> (Int)->Int { { $0 &+ 1 } }
@inline(never) func ms() -> (Int)->Void { { total &+= $0 } }
@_optimize(none) func blind<T>(_ x: T) -> T { x }
let f = mf(), g = mg(), h = mh(), s = ms()
report("W1 opaque", { w1loop(f,g,h,s) }, { w1(f,g,h,s) })
report("W1 literal", { w1loop(f,g,h,s) }, { w1literal() })

@MainActor @inline(never) func w2(_ k: Int) { let f = f, g = g, s = s
  let m = n / k
  var cs: [AnyCancellable] = []
  let subject = PassthroughSubject<Int, Never>()
  for _ in 0..<k { cs.append(subject.map(f).filter(g).sink(receiveValue: s)) }
  report("W2 \(k)", { for i in 0..<m { for _ in 0..<k { let a = f(i); if g(a) { s(a) } } } }, { for i in 0..<m { subject.send(i) } }, m)
}
w2(1); w2(10); w2(100)
print(total)
