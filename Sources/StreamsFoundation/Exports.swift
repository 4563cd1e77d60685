// A file that uses URLSession as a stream needs all of these, so one import provides them.
@_exported import Foundation
@_exported import Streams

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif
