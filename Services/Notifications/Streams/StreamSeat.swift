/// The place of one stream in its process, from the request to the end of the answer, however that ends: it is given back
/// when nobody holds it any more.
final class StreamSeat: Sendable {
    private let leave: @Sendable () -> Void

    init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

    deinit { leave() }
}
