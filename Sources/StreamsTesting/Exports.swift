// A test imports this module, its own code, and a test framework.
@_exported import StreamsFoundation
@_exported import StubNetwork
@_exported import Timeline
@_exported import TimelinePictures
@_exported import VirtualTime
@_exported import VirtualWorld
