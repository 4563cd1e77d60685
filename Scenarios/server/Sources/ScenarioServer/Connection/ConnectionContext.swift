import Hummingbird
import NIOCore

/// Hummingbird's context of a request, plus the request's connection, which some paths reset.
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
