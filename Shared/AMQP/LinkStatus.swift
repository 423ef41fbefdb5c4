import Synchronization

/// The state of a link, readable from other threads.
final class LinkStatus: Sendable {
    private let connected = Atomic(false)
    private let everConnected = Atomic(false)
    private let blocked = Atomic(false)

    var isConnected: Bool { connected.load(ordering: .relaxed) }
    var hasConnected: Bool { everConnected.load(ordering: .relaxed) }
    var isBlocked: Bool { blocked.load(ordering: .relaxed) }

    func opened() {
        everConnected.store(true, ordering: .relaxed)
        connected.store(true, ordering: .relaxed)
    }

    func lost() {
        connected.store(false, ordering: .relaxed)
        blocked.store(false, ordering: .relaxed)
    }

    func setBlocked(_ isBlocked: Bool) { blocked.store(isBlocked, ordering: .relaxed) }
}
