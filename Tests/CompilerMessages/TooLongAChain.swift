// The compiler gives up after a second, and not only when its memory is full.
// flags: -Xfrontend -solver-expression-time-threshold=1
import Streams

func texts(of numbers: some Publisher<Int, Never>) {
  _ =
    numbers
    .map { String($0) }
    .map { String($0) }
    .map { String($0) }
    .map { String($0) }
    .map { String($0) }
    .map { String($0) }
    .map { String($0) }
    .map { String($0) }
    .map { String($0) }
    .map { String($0) }
}
