import Foundation
import Streams

/// Decodes property lists from `Data` in `decode(type:decoder:)`.
extension PropertyListDecoder: TopLevelDecoder {}
