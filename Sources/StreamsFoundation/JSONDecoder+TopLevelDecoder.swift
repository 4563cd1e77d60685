import Foundation
import Streams

/// Decodes JSON from `Data` in `decode(type:decoder:)`.
extension JSONDecoder: TopLevelDecoder {}
