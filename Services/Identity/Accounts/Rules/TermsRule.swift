/// A version of a market's terms.
struct TermsVersion: Hashable, Sendable {
    let market: String
    let version: String
}

/// The rule for asking people about terms again: they accepted a version with their role, and the market has another one
/// by now (X8).
enum TermsRule {
    /// - Parameter current: the version of a market's terms; nil for a market without terms.
    /// - Returns: the versions to be accepted, ordered by market.
    static func asked(
        of roles: [Role], accepted: Set<TermsVersion>, current: (_ market: String) -> String?
    ) -> [TermsVersion] {
        let markets = Set(roles.filter { !$0.isStaff }.map(\.market))
        return markets.sorted().compactMap { market in
            guard let version = current(market) else { return nil }
            let asked = TermsVersion(market: market, version: version)
            return accepted.contains(asked) ? nil : asked
        }
    }
}
