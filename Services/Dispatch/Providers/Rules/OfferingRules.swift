/// A service that a provider offers at a price.
struct Offering: Hashable, Sendable {
    let service: String
    /// In minor units of the currency in which it was set.
    let price: Int
}

/// The services that a provider may offer (C2).
struct OfferingRules: Sendable {
    /// A service of the market and the titles that may offer it; empty allows all titles.
    struct Service: Hashable, Sendable {
        let id: String
        let titles: Set<String>
    }

    enum Fault: Hashable, Sendable {
        case unknownService
        case notForTitle
        case twice
    }

    /// In minor units. A higher price is taken for a mistake of input.
    static let maximumPrice = 10_000_000

    let services: [Service]
    /// The provider's title.
    let title: String?

    /// The services that the title may do.
    var allowed: [String] {
        services.filter { service in service.titles.isEmpty || title.map(service.titles.contains) ?? false }.map(\.id)
    }

    /// Finds the invalid offerings: the index of each and the reason.
    func faults(of offerings: [Offering]) -> [(index: Int, fault: Fault)] {
        let known = Set(services.map(\.id))
        let allowed = Set(allowed)
        var seen: Set<String> = []
        return offerings.enumerated().compactMap { index, offering in
            guard known.contains(offering.service) else { return (index, .unknownService) }
            guard allowed.contains(offering.service) else { return (index, .notForTitle) }
            return seen.insert(offering.service).inserted ? nil : (index, .twice)
        }
    }
}
