import Foundation
import Streams

/// Encodes to property lists as `Data` in `encode(encoder:)`.
extension PropertyListEncoder: TopLevelEncoder {}
