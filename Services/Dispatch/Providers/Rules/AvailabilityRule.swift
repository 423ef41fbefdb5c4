/// Why a provider cannot be available (C4).
enum AvailabilityRefusal: Error, Hashable {
    case notVerified
    case noOfferings
}

/// Who may be available: whoever is verified and does something, by offering it or by title. Everybody may stop.
enum AvailabilityRule {
    /// - Parameter doesByTitle: whether the platform searches for such providers, who set no prices.
    static func check(
        wanted: Bool, isVerified: Bool, offerings: Int, doesByTitle: Bool = false
    ) throws(AvailabilityRefusal) {
        guard wanted else { return }
        guard isVerified else { throw .notVerified }
        guard offerings > 0 || doesByTitle else { throw .noOfferings }
    }
}
