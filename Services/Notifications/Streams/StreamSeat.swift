/// The seat of one stream in its process, from the request to the end of the answer. It is released when the last
/// reference goes.
final class StreamSeat: Sendable {
    private let leave: @Sendable () -> Void

    init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

    deinit { leave() }
}
