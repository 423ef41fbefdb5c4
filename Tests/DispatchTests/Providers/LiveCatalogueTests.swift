import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("A catalogue that admins have changed", .timeLimit(.minutes(15)))
struct LiveCatalogueTests {
    private static func entry(_ id: String, _ section: CatalogueEntry.Section = .services) throws -> CatalogueEntry {
        try #require(Market.assef.catalogue.first { $0.section == section && $0.id == id })
    }

    /// As the handler of admin's event does.
    private static func put(_ entries: [CatalogueEntry], in ground: ProvidersGround) async throws {
        for (index, entry) in entries.enumerated() {
            try await ground.pool.execute(PutTestEntry(entry: entry, version: index + 1))
        }
        try await ground.markets.refresh()
    }

    private static func drawing(_ name: String, _ ground: ProvidersGround) async throws -> HTTPResponse.Status {
        try await ground.client.execute(uri: "/dispatch/v1/markets/assef/images/\(name).svg", method: .get).status
    }

    @Test("C1: names, order, pictures and new services are read at once, with another tag; retired ones are gone")
    func read() async throws {
        try await ProvidersGround.run { ground in
            let before = try await ground.get("markets/assef/services", language: "en")
            var wound = try Self.entry("wound-care")
            wound[.name] = ["en": "Dressings", "ar": "الضماد"]
            wound.image = String(repeating: "a", count: 64)
            wound.position = 90
            var injection = try Self.entry("injection")
            injection.active = false
            var fever = try Self.entry("wound-care")
            fever.id = "fever-check"
            (fever.image, fever.position) = (nil, 1)
            fever[.name] = ["en": "Fever check", "ar": "قياس الحرارة"]
            let arrived = try Self.entry("arrived", .labels)
            var label = arrived
            label[.provider] = ["en": "At the door", "ar": "عند الباب"]
            try await Self.put([wound, injection, fever, label], in: ground)
            let answer = try await ground.get("markets/assef/services", language: "ar")
            #expect(answer.json != before.json)
            let services = try #require(answer.items.first?["services"]?.asList)
            #expect(services.first?["id"] == "fever-check" && services.last?["id"] == "wound-care")
            #expect(services.last?["name"] == "الضماد")
            #expect(!services.contains { $0["id"] == "injection" })
            #expect(
                services.last?["image"]?.asText
                    == "/admin/v1/markets/assef/images/" + String(repeating: "a", count: 64))
            // A service without a picture has its type's.
            #expect(services.first?["image"]?.asText?.hasSuffix("/nursing.svg") == true)
            let market = try await ground.get("markets/assef", language: "en")
            #expect(market.json["labels"]?["arrived"]?["provider"] == "At the door")
            // A page from before still gets its drawing.
            #expect(try await Self.drawing("wound-care", ground) == .ok)
            #expect(try await Self.drawing("service", ground) == .ok)
        }
    }

    @Test("C2: a new service is offered by those whose title allows it; the price of a retired one comes back with it")
    func offered() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.tell()
            var fever = try Self.entry("wound-care")
            fever.id = "fever-check"
            try await Self.put([fever], in: ground)
            let set = try await ground.put(
                "markets/assef/offerings", #"{"offerings":[{"service":"fever-check","price":5000}]}"#, as: nurse)
            #expect(set.status == 200, "\(set.json)")
            // An event about the person takes nothing from her.
            let known = ground.markets
            try await ground.pool.withTransaction { transaction in
                let role = AccountSnapshot.Role(market: "assef", role: "provider", title: "nurse", verified: true)
                let person = AccountSnapshot(
                    account: nurse, version: 2, name: "Sara B", gender: .female, language: "ar", roles: [role],
                    avatar: nil)
                try await PeopleProjection.keep(
                    person, in: { known.named($0) }, by: { .thisMillisecond }, transaction)
            }
            func priced() async throws -> [String] {
                (try await ground.get("markets/assef/offerings", as: nurse, "provider").json["offerings"]?.asList ?? [])
                    .filter { $0["price"] != nil }.compactMap { $0["service"]?.asText }
            }
            #expect(try await priced() == ["fever-check"])
            fever.active = false
            try await ground.pool.execute(PutTestEntry(entry: fever, version: 2))
            try await ground.markets.refresh()
            #expect(try await priced() == [])
            let refused = try await ground.put(
                "markets/assef/offerings", #"{"offerings":[{"service":"fever-check","price":5000}]}"#, as: nurse)
            #expect(refused.status == 422)
            fever.active = true
            try await ground.pool.execute(PutTestEntry(entry: fever, version: 3))
            try await ground.markets.refresh()
            #expect(try await priced() == ["fever-check"])
        }
    }

    @Test("O1, O3: a retired service is ordered no more and a retired reason not given; the order keeps its words")
    func ordered() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            let first = try await server.post(OrderServer.orders, as: customer, OrderServer.body(provider.account))
            #expect(first.status == 201, "\(first.json)")
            let name = try #require(first.json["services"]?.asList?.first?["name"])
            let service = try #require(first.json["services"]?.asList?.first?["service"]?.asText)
            var retired = try Self.entry(service)
            retired.active = false
            retired[.name] = ["en": "Renamed", "ar": "اسم آخر"]
            var reason = try Self.entry("unsafe", .reportReasons)
            reason.active = false
            for entry in [retired, reason] {
                try await server.world.pool.execute(PutTestEntry(entry: entry, version: 1))
            }
            try await server.world.markets.refresh()
            let order = try #require(first.json["order"]?.asText)
            let read = try await server.get("\(OrderServer.orders)/\(order)", as: customer)
            #expect(read.json["services"]?.asList?.first?["name"] == name)
            let again = try await server.post(
                OrderServer.orders, as: try await server.customer(), OrderServer.body(provider.account))
            #expect(again.codes["/services/0"] == "unknown-service", "\(again.json)")
            let report = try await server.post(
                "\(OrderServer.orders)/\(order)/reports", as: customer, #"{"reason": "unsafe", "cancels": false}"#)
            #expect(report.codes == ["/reason": "unknown-reason"], "\(report.json)")
        }
    }
}

extension PutTestEntry {
    fileprivate init(entry: CatalogueEntry, version: Int) throws {
        self.init(
            section: entry.section.rawValue, id: entry.id, json: try JSON.stored.text(entry), version: version)
    }
}
