import Foundation
import Matching
import Messaging
import SeraiJSON

/// Stored reason for an order's result in one round: the weighed providers with their costs, and the left-out providers
/// by rule, counted and partly named. At most about 30 kB, where very many providers are near.
struct RoundReasoning: Sendable, Hashable, Codable {
    /// Maximum number of left-out providers that are named, over all rules; the others are only counted. Rules with few
    /// left-out providers are served first.
    static let namedProviders = 300
    /// Maximum number of weighed providers that are stored, cheapest first. A round weighs fewer for one order; only
    /// for meals with many couriers there may be more.
    static let weighedProviders = 150
    /// Number of left-out providers per rule that the fingerprint compares. With more, one provider who becomes busy
    /// would change the reasoning of every order nearby.
    private static let comparedProviders = 20

    enum Outcome: String, Sendable, Codable, CaseIterable {
        case offered
        /// The offer failed: order or provider was taken by another transaction a moment before.
        case lost
        case widened, waits, gaveUp
    }

    struct Weighed: Sendable, Hashable, Codable {
        let provider: UUID
        let travel: Int
        let fairness: Int
        let rating: Int
        /// For a meal, which costs this instead of the travel time: seconds by which all customers together would wait
        /// longer.
        var added: Int?
    }

    struct LeftOut: Sendable, Hashable, Codable {
        let rule: RoundRule
        let count: Int
        let providers: [UUID]

        /// - Parameter leftOut: providers with the same rule stand together.
        fileprivate static func grouped(_ leftOut: [(rule: RoundRule, provider: UUID)]) -> [LeftOut] {
            var groups: [(rule: RoundRule, providers: [UUID])] = []
            for (rule, provider) in leftOut {
                if groups.last?.rule != rule { groups.append((rule, [])) }
                groups[groups.count - 1].providers.append(provider)
            }
            var room = RoundReasoning.namedProviders
            var named = [Int](repeating: 0, count: groups.count)
            let sizes = groups.map(\.providers.count)
            for number in groups.indices.sorted(by: { (sizes[$0], $0) < (sizes[$1], $1) }) {
                named[number] = min(room, sizes[number])
                room -= named[number]
            }
            return zip(groups, named).map { group, named in
                LeftOut(
                    rule: group.rule, count: group.providers.count, providers: Array(group.providers.prefix(named)))
            }
        }
    }

    var outcome: Outcome
    /// The provider to whom the order was to be offered.
    let provider: UUID?
    let stage: Int
    let radiusMetres: Int
    /// Number of all weighed providers; ``weighed`` has the cheapest ones.
    let weighedCount: Int
    let weighed: [Weighed]
    let leftOut: [LeftOut]
    /// Meals of the bundle, this one among them.
    var bundle: [UUID]?

    /// Reasoning for a meal.
    init(_ outcome: MealDecisions.Outcome, _ verdicts: [(provider: UUID, verdict: MealDecisions.Verdict)], radius: Int)
    {
        stage = 0
        radiusMetres = radius
        switch outcome {
        case .offer(let provider, let bundle):
            (self.outcome, self.provider) = (.offered, provider)
            self.bundle = bundle.count > 1 ? bundle : nil
        case .wait: (self.outcome, provider) = (.waits, nil)
        case .giveUp: (self.outcome, provider) = (.gaveUp, nil)
        }
        var weighed: [Weighed] = []
        var leftOut: [(rule: RoundRule, provider: UUID)] = []
        for (provider, verdict) in verdicts {
            switch verdict {
            case .weighed(let travel, let cost):
                weighed.append(
                    Weighed(
                        provider: provider, travel: travel, fairness: cost.fairnessSeconds, rating: cost.ratingSeconds,
                        added: cost.addedSeconds))
            case .leftOut(let rule): leftOut.append((rule, provider))
            }
        }
        weighedCount = weighed.count
        self.weighed = Array(weighed.prefix(Self.weighedProviders))
        self.leftOut = LeftOut.grouped(leftOut)
    }

    init(_ explanation: RoundDecisions.Explanation, stage: Int, _ settings: RoundSettings) {
        self.stage = stage
        radiusMetres = settings.radius(ofStage: stage)
        switch explanation.outcome {
        case .offer(let provider, _): (outcome, self.provider) = (.offered, provider)
        case .widen: (outcome, provider) = (.widened, nil)
        case .wait: (outcome, provider) = (.waits, nil)
        case .giveUp: (outcome, provider) = (.gaveUp, nil)
        }
        var weighed: [Weighed] = []
        var leftOut: [(rule: RoundRule, provider: UUID)] = []
        // The explanation lists weighed providers by cost, then left-out ones by rule.
        for considered in explanation.providers {
            switch considered.verdict {
            case .weighed(let cost):
                weighed.append(
                    Weighed(
                        provider: considered.provider, travel: cost.travelSeconds, fairness: cost.fairnessSeconds,
                        rating: cost.ratingSeconds))
            case .leftOut(let rule): leftOut.append((rule, considered.provider))
            }
        }
        weighedCount = weighed.count
        self.weighed = Array(weighed.prefix(Self.weighedProviders))
        self.leftOut = LeftOut.grouped(leftOut)
    }

    /// Hash of the outcome, the weighed and the left-out providers, without their seconds. Equal reasonings have equal
    /// fingerprints in every process.
    var fingerprint: Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        add("\(outcome.rawValue) \(stage) \(weighedCount)")
        for provider in weighed.map(\.provider.text).sorted() { add(provider) }
        for group in leftOut {
            add("\(group.rule.rawValue) \(group.count) \(group.providers.prefix(Self.comparedProviders).map(\.text))")
        }
        return Int(Int64(bitPattern: hash))
    }

    /// Whether the reasoning is stored even if it equals the last one.
    var isOutcome: Bool { outcome != .waits }

    /// - Throws: errors of the encoder.
    func json() throws -> String { try JSON.stored.text(self) }
}
