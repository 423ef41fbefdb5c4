import Synchronization

/// The state of a link, readable from other threads.
final class LinkStatus: Sendable {
    private let connected = Atomic(false)
    private let everConnected = Atomic(false)
    private let blocked = Atomic(false)
    private let count = Atomic<Int>(0)

    var isConnected: Bool { connected.load(ordering: .relaxed) }
    var hasConnected: Bool { everConnected.load(ordering: .relaxed) }
    var isBlocked: Bool { blocked.load(ordering: .relaxed) }

    /// Number of connections that were opened.
    var connections: Int { count.load(ordering: .relaxed) }

    func opened() {
        _ = count.add(1, ordering: .relaxed)
        everConnected.store(true, ordering: .relaxed)
        connected.store(true, ordering: .relaxed)
    }

    func lost() {
        connected.store(false, ordering: .relaxed)
        blocked.store(false, ordering: .relaxed)
    }

    func setBlocked(_ isBlocked: Bool) { blocked.store(isBlocked, ordering: .relaxed) }
}
