import Hummingbird
import NIOCore

/// What Hummingbird keeps for a request, and the connection it came by, which some paths break.
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
