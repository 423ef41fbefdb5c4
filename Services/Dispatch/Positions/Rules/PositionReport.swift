import Foundation
import Matching

/// What a provider's phone has told of its place.
struct PositionReport: Hashable, Sendable {
    let provider: UUID
    /// With the time by the phone's clock.
    let fix: Fix
    /// When it came, by our clock.
    let toldAt: Date
    /// Told by the person, who may have set a pin: believed however far it is from the last one, but not of who holds an
    /// order.
    var isStated: Bool
    /// What the phone says that it may be wrong by; metres, and as the phone pleases.
    var accuracyMetres: Double?

    /// - Parameter toldAt: when it was measured, if nil.
    init(provider: UUID, fix: Fix, toldAt: Date? = nil, isStated: Bool = false, accuracyMetres: Double? = nil) {
        self.provider = provider
        self.fix = fix
        self.toldAt = toldAt ?? fix.at
        self.isStated = isStated
        self.accuracyMetres = accuracyMetres
    }
}
