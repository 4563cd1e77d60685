import Foundation
import StreamsTesting

/// The values of the digits in a marble string: `world.cold("1-2-3|", digits)` sends numbers.
let digits = Dictionary(uniqueKeysWithValues: (0...9).map { (Character("\($0)"), $0) })

/// An error of the examples.
struct Oops: Error {}

/// Whether the calling code runs on the main queue.
var isOnMainQueue: Bool { MainQueueMark.isHere }
