import Locks

/// Messages confirmed and delivered, told apart by their text.
final class Tally: Sendable {
    private let state = Mutex((confirmed: Set<String>(), delivered: Set<String>()))

    func confirmed(_ text: String) { state.withLock { _ = $0.confirmed.insert(text) } }
    func delivered(_ text: String) { state.withLock { _ = $0.delivered.insert(text) } }
    var confirmedCount: Int { state.withLock { $0.confirmed.count } }
    var deliveredCount: Int { state.withLock { $0.delivered.count } }
    var missing: Set<String> { state.withLock { $0.confirmed.subtracting($0.delivered) } }
}
