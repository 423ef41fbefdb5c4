import Foundation
import Synchronization

/// A token that is used again until shortly before it ends. Two that miss it at once both ask for one, which does no
/// harm.
final class KeptToken: Sendable {
    struct Kept: Sendable {
        let token: String
        let until: Date
    }

    private let kept = Mutex<Kept?>(nil)

    /// - Returns: nil if there is none.
    func value(at now: Date, or make: () async throws -> Kept?) async rethrows -> String? {
        if let kept = kept.withLock({ $0 }), kept.until > now { return kept.token }
        guard let made = try await make() else { return nil }
        kept.withLock { $0 = made }
        return made.token
    }

    func forget() { kept.withLock { $0 = nil } }
}
