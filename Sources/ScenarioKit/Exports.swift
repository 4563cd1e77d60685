// A scenario imports this module and nothing else.
@_exported import StreamsFoundation
@_exported import StubNetwork
@_exported import Timeline
@_exported import VirtualTime
@_exported import VirtualWorld
