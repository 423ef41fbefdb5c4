import Foundation
import Matching

/// A position that a provider's phone reported.
struct PositionReport: Hashable, Sendable {
    let provider: UUID
    /// Position with the phone's time.
    let fix: Fix
    /// Time of arrival, by the server's clock.
    let toldAt: Date
    /// Whether the person stated the position, perhaps with a pin. Such a position is accepted however far it is from
    /// the last one, except while the provider holds an order.
    var isManual: Bool
    /// The phone's stated accuracy in metres, unchecked.
    var accuracyMetres: Double?

    /// - Parameter toldAt: nil means the time of the measurement.
    init(provider: UUID, fix: Fix, toldAt: Date? = nil, isManual: Bool = false, accuracyMetres: Double? = nil) {
        self.provider = provider
        self.fix = fix
        self.toldAt = toldAt ?? fix.at
        self.isManual = isManual
        self.accuracyMetres = accuracyMetres
    }
}
