/// The reasons why a provider cannot be available (C4).
enum AvailabilityRefusal: Error, Hashable {
    case notVerified
    case noOfferings
}

/// Allows availability to verified providers who have offerings or whose title is searched for. Switching off is always
/// allowed.
enum AvailabilityRule {
    /// - Parameter doesByTitle: whether the platform searches for the title; such providers set no prices.
    static func check(
        wanted: Bool, isVerified: Bool, offerings: Int, doesByTitle: Bool = false
    ) throws(AvailabilityRefusal) {
        guard wanted else { return }
        guard isVerified else { throw .notVerified }
        guard offerings > 0 || doesByTitle else { throw .noOfferings }
    }
}
