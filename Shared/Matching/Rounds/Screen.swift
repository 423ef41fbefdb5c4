import Foundation

/// Applies the rules to all providers of a round: first those that are the same for every order, then the others.
struct Screen {
    private let now: Int
    private let providers: [RoundProvider]
    private let settings: RoundSettings
    /// The rule that excludes each provider for every order.
    private let always: [RoundRule?]
    private let vectors: [UnitVector]
    /// For each requested kind, whether each provider does it.
    private let does: [String: [Bool]]

    init(now: Int, providers: [RoundProvider], kinds: Set<String>, settings: RoundSettings) {
        self.now = now
        self.providers = providers
        self.settings = settings
        always = providers.map { RoundRule.always($0, now: now, settings: settings) }
        vectors = providers.map { UnitVector($0.place) }
        var does: [String: [Bool]] = [:]
        for kind in kinds { does[kind] = providers.map { $0.kinds.contains(kind) } }
        self.does = does
    }

    /// The rule of each provider, wherever the provider is.
    func rules(for order: RoundOrder) -> [RoundRule?] {
        let isOver = settings.isSearchOver(order, now: now)
        let doesIt = does[order.kind] ?? []
        return providers.indices.map { number in
            if let rule = always[number] { return rule }
            guard number < doesIt.count, doesIt[number] else { return .otherKind }
            return RoundRule.between(providers[number].id, order, isOver: isOver)
        }
    }

    /// The providers without a rule that are within the radius and among the nearest; sets the rules of the others.
    func nearest(_ order: RoundOrder, _ rules: inout [RoundRule?]) -> [Int] {
        let target = UnitVector(order.place)
        let limit = UnitVector.squaredChord(metres: Double(settings.radius(order.stage)))
        var near: [(chord: Double, provider: Int)] = []
        for number in rules.indices where rules[number] == nil {
            let chord = vectors[number].squaredChord(to: target)
            if chord > limit { rules[number] = .outOfRadius } else { near.append((chord, number)) }
        }
        guard near.count > settings.candidatesPerOrder else { return near.map(\.provider) }
        near.sort { $0 < $1 }
        for far in near.dropFirst(settings.candidatesPerOrder) { rules[far.provider] = .notAmongNearest }
        return near.prefix(settings.candidatesPerOrder).map(\.provider)
    }
}
