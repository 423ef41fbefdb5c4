/// Why a provider cannot be available (C4).
enum AvailabilityRefusal: Error, Hashable {
    case notVerified
    case noOfferings
}

/// Who may be available: whoever is verified and does something. Everybody may stop.
enum AvailabilityRule {
    static func check(wanted: Bool, isVerified: Bool, offerings: Int) throws(AvailabilityRefusal) {
        guard wanted else { return }
        guard isVerified else { throw .notVerified }
        guard offerings > 0 else { throw .noOfferings }
    }
}
