import Streams
import Testing

/// Does nothing at run time: a type that isn't `Sendable` doesn't compile.
func requireSendable<T: Sendable>(_: T.Type) {}
