import Synchronization

/// Somebody of the walk, with what one signs in with as that person afterwards.
struct Acquaintance: Hashable, Sendable {
    let market: String
    /// What the walk calls the person, such as `nurse`.
    let role: String
    let name: String
    let mobile: String
    let email: String
    let password: String
}

/// Whom the walk has met.
final class Acquaintances: Sendable {
    private let known = Mutex<[Acquaintance]>([])

    var all: [Acquaintance] { known.withLock { $0 } }

    func add(_ one: Acquaintance) { known.withLock { $0.append(one) } }
}
