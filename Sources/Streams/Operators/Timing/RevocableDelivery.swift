/// A ``GatedDelivery`` whose completion isn't final before it's delivered: a cancellation still
/// drops it, and everything else that was accepted.
class RevocableDelivery<Downstream: Subscriber>: GatedDelivery<Downstream> {
  final override func cancel() { close(cancelling: end().upstream) }
}
