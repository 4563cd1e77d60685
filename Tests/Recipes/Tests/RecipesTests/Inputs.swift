import StreamsTesting

/// The values of the digits in a marble string: `world.hot("1-2-3|", digits)` sends numbers.
let digits = Dictionary(uniqueKeysWithValues: (0...9).map { (Character("\($0)"), $0) })

/// An error of these tests.
struct Oops: Error, Equatable {}
