import Foundation
import Streams

/// Encodes to JSON as `Data` in `encode(encoder:)`.
extension JSONEncoder: TopLevelEncoder {}
