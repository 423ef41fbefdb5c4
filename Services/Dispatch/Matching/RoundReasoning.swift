import Foundation
import Matching
import Messaging

/// Why an order got what it got in one round, as it is kept: the providers weighed with their costs, and how many were
/// left out by which rule, and who. Thirty kilobytes at most, where very many are near.
struct RoundReasoning: Sendable, Hashable, Codable {
    /// Of those left out, by all rules together, so many are named; the others are counted. Rules by which few were left
    /// out have room first.
    static let namedProviders = 300
    /// More than a round weighs for one order, the cheapest; of meals that many couriers bring there may be more.
    static let weighedProviders = 150
    /// Of each rule, so many are looked at to tell one reasoning from another. Of more, somebody who is busy for once would
    /// be another reasoning for every order near.
    private static let comparedProviders = 20

    enum Outcome: String, Sendable, Codable, CaseIterable {
        case offered
        /// It was to be offered, and the order or the provider was somebody else's a moment before.
        case lost
        case widened, waits, gaveUp
    }

    struct Weighed: Sendable, Hashable, Codable {
        let provider: UUID
        let travel: Int
        let fairness: Int
        let rating: Int
        /// Of a meal, which costs this instead of the travel: by how many seconds all customers together would wait
        /// longer.
        var added: Int?
    }

    struct LeftOut: Sendable, Hashable, Codable {
        let rule: RoundRule
        let count: Int
        let providers: [UUID]

        /// - Parameter leftOut: those of one rule stand together.
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
    /// Whom it was to be offered to.
    let provider: UUID?
    let stage: Int
    let radiusMetres: Int
    /// All that were; of very many the cheapest are named.
    let weighedCount: Int
    let weighed: [Weighed]
    let leftOut: [LeftOut]
    /// Meals that are brought together, this one among them.
    var bundle: [UUID]?

    /// Of a meal.
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
        // The cheapest come first, then those left out by their rules.
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

    /// The same for the same thoughts, in every process: who was weighed and who was left out why, whatever the
    /// seconds.
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

    /// Whether it is kept although it is no other than the last one.
    var isOutcome: Bool { outcome != .waits }

    /// - Throws: what the encoder throws.
    func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}
