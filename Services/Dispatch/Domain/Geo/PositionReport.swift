import Foundation
import Matching

/// What a provider's phone has told of its place.
struct PositionReport: Hashable, Sendable {
    let provider: UUID
    let fix: Fix
    /// Told by the person, who may have set a pin: believed however far it is from the last one, but not of who holds an
    /// order.
    var isStated = false
    /// What the phone says that it may be wrong by; metres, and as the phone pleases.
    var accuracyMetres: Double?
}
