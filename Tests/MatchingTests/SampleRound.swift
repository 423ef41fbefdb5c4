import Foundation
import Matching
import TestKit

/// A round in a town, of which each test changes what it is about.
struct SampleRound {
    static let now = 1_000_000
    static let center = GeoPoint(latitude: -31.95, longitude: 115.86)

    var orders: [RoundOrder] = []
    var providers: [RoundProvider] = []
    var settings = RoundSettings()

    /// So many metres to the north of the centre.
    static func north(_ metres: Double) -> GeoPoint {
        GeoPoint(latitude: center.latitude + metres / 111_195, longitude: center.longitude)
    }

    static func order(
        id: UUID = UUID(), customer: UUID = UUID(), at place: GeoPoint = center, kind: String = "ride", age: Int = 0,
        stage: Int = 0, stageAge: Int? = nil, declined: Set<UUID> = [], endsIn: Int? = nil
    ) -> RoundOrder {
        RoundOrder(
            id: id, customer: customer, place: place, kind: kind, requestedAt: now - age, stage: stage,
            stageSince: stageAge.map { now - $0 }, declined: declined, searchEndsAt: endsIn.map { now + $0 })
    }

    static func provider(
        id: UUID = UUID(), at place: GeoPoint = center, placeAge: Int = 0, facts: RoundProvider.Facts = [],
        kinds: Set<String> = ["ride"], waited: Int = 0, rating: Int? = nil
    ) -> RoundProvider {
        RoundProvider(
            id: id, place: place, placeAt: now - placeAge, facts: facts, kinds: kinds, waitingSince: now - waited,
            rating: rating)
    }

    /// A second for ten metres as the crow flies.
    static func answers(_ round: Round) -> [[Int?]] {
        round.questions.map { question in
            question.origins.map { Int($0.metres(to: question.destination) / 10) }
        }
    }

    var round: Round { Round(now: Self.now, orders: orders, providers: providers, settings: settings) }

    func decide() -> RoundDecisions {
        let round = round
        return round.decide(Self.answers(round))
    }

    /// Of the only order.
    func outcome() -> RoundDecisions.Outcome? { decide().all.first?.outcome }

    /// Up to so many orders and providers with everything that can be about them.
    static func random(orders: Int, providers: Int, _ generator: inout SeededGenerator) -> SampleRound {
        func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &generator) == 0 }
        func place() -> GeoPoint {
            GeoPoint(
                latitude: center.latitude + .random(in: -0.08...0.08, using: &generator),
                longitude: center.longitude + .random(in: -0.08...0.08, using: &generator))
        }
        var sample = SampleRound()
        sample.settings.candidatesPerOrder = chance(2) ? 3 : 100
        let facts: [RoundProvider.Facts] = [
            .banned, .unverified, .unsubscribed, .unavailable, .busy, .onOffer, .outOfHours,
        ]
        sample.providers = (0..<providers).map { _ in
            provider(
                id: UUID.random(using: &generator), at: place(), placeAge: .random(in: 0...150, using: &generator),
                facts: chance(3) ? facts.randomElement(using: &generator) ?? [] : [],
                kinds: chance(4) ? ["bike"] : ["ride", "bike"], waited: .random(in: 0...4_000, using: &generator),
                rating: chance(3) ? nil : .random(in: 100...500, using: &generator))
        }
        sample.orders = (0..<orders).map { _ in
            let declined = sample.providers.filter { _ in chance(4) }.map(\.id)
            let customer = chance(5) ? sample.providers.randomElement(using: &generator)?.id : nil
            return order(
                id: UUID.random(using: &generator), customer: customer ?? UUID(), at: place(),
                kind: chance(3) ? "bike" : "ride", age: .random(in: 0...320, using: &generator),
                stage: .random(in: 0...2, using: &generator), stageAge: .random(in: 0...60, using: &generator),
                declined: Set(declined))
        }
        return sample
    }
}

extension UUID {
    static func random(using generator: inout SeededGenerator) -> UUID {
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
