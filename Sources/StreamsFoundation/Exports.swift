// A file that uses URLSession as a stream needs all of these, and one import brings them.
@_exported import Foundation
@_exported import Streams

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif
