import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import LiveMarkets
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C1: the catalogue, and who may ask what", .timeLimit(.minutes(15)))
struct CatalogueTests {
    @Test("C1: a market and its services are open to all, in the reader's language")
    func market() async throws {
        try await ProvidersGround.run { ground in
            var answer = try await ground.get("markets/assef", language: "ar-SA,en;q=0.5")
            #expect(answer.status == 200 && answer.json["name"] == "أسعف" && answer.json["currency"] == "SAR")
            #expect(answer.json["labels"]?["arrived"]?["customer"] == "مع مقدم الخدمة")
            #expect(answer.json["settings"]?["acceptWindowSeconds"] == 120)
            #expect(answer.json["settings"]?["openingHours"] == "always")
            #expect(answer.json["settings"]?["commissionBasisPoints"] == nil)
            #expect(answer.json["titles"]?.asList?.count == 4)

            answer = try await ground.get("markets/assef/services", language: "en")
            #expect(answer.items.compactMap { $0["id"]?.asText } == ["nursing", "physiotherapy"])
            let service = try #require(answer.items.first?["services"]?.asList?.first)
            #expect(service["id"] == "wound-care" && service["name"] == "Wound care")
            #expect(service["titles"]?.asList == ["nurse"] && service["instructions"]?.asText?.isEmpty == false)

            for path in ["markets/none", "markets/none/services", "markets/%2e"] {
                #expect(try await ground.get(path).status == 404)
            }
        }
    }

    @Test("P2: what an admin changes is shown")
    func settings() async throws {
        try await ProvidersGround.run { ground in
            var handlers = MessageHandlers()
            LiveMarkets.register(in: &handlers)
            ProviderParts.register(in: &handlers, ground.markets, clock: { Date() })
            #expect(Set(handlers.names).isSuperset(of: [AccountChanged.name, ProviderVerified.name]))
            try await ground.pool.execute(PutTestSetting(key: "paymentWindowSeconds", value: "77"))
            try await ground.markets.refresh()
            let answer = try await ground.get("markets/assef")
            #expect(answer.json["settings"]?["paymentWindowSeconds"] == 77)
        }
    }

    static let place = "latitude=24.7&longitude=46.7"
    /// Route, the role that may ask, and a body.
    static let routes: [(method: String, path: String, role: String, body: String?)] = [
        ("GET", "markets/assef/offerings", "provider", nil),
        ("PUT", "markets/assef/offerings", "provider", #"{"offerings":[]}"#),
        ("GET", "markets/assef/availability", "provider", nil),
        ("PUT", "markets/assef/availability", "provider", #"{"available":false}"#),
        ("POST", "positions", "provider", #"{"latitude":1,"longitude":1}"#),
        ("GET", "markets/assef/providers?services=injection&\(place)", "customer", nil),
        ("GET", "markets/assef/nearby?\(place)", "customer", nil),
    ]

    @Test("who is not signed in gets 401, the wrong role or one of another market 403, a market that there is not 404")
    func wrongCallers() async throws {
        try await ProvidersGround.run { ground in
            let provider = try await ground.tell()
            for route in Self.routes {
                let method = try #require(HTTPRequest.Method(rawValue: route.method))
                func ask(_ path: String, _ caller: UUID?, _ role: String) async throws -> Int {
                    try await ground.ask(method, path, caller, role, body: route.body).status
                }
                #expect(try await ask(route.path, nil, "") == 401, "\(route)")
                for other in ["customer", "provider", "admin", "none"] where other != route.role {
                    #expect(try await ask(route.path, provider, other) == 403, "\(other) \(route)")
                }
                #expect([200, 202].contains(try await ask(route.path, provider, route.role)), "\(route)")
                // Who has the role in another market; and a market that there is not.
                for (market, status) in [("btnc", 403), ("nowhere", 404)] {
                    let elsewhere = route.path.replacing("assef", with: market)
                    if elsewhere != route.path {
                        #expect(try await ask(elsewhere, provider, route.role) == status, "\(market) \(route)")
                    }
                }
            }
        }
    }

    @Test("N6: a market's page has the phone and the address of its support, as soon as an admin has set them")
    func support() async throws {
        try await ProvidersGround.run { ground in
            func support() async throws -> JSONValue? { try await ground.get("markets/assef").json["support"] }
            #expect(try await support() == .object([:]))
            try await ground.set("supportPhone", "+966112345678")
            try await ground.set("supportEmail", "help@assef.example")
            #expect(try await support()?["phone"]?.asText == "+966112345678")
            #expect(try await support()?["email"]?.asText == "help@assef.example")
        }
    }

    @Test("C1: Eden Care has all its services, nursing, foot care and childcare too, with prices, in both languages")
    func care() async throws {
        try await ProvidersGround.run { ground in
            let names = [
                ("en", ["Companionship", "Personal care", "Nursing", "Foot care", "Childcare"]),
                ("ar", ["المرافقة", "العناية الشخصية", "التمريض", "العناية بالقدمين", "رعاية الأطفال"]),
            ]
            for (language, expected) in names {
                let types = try await ground.get("markets/edencare/services", language: language).items
                #expect(types.count == 2)
                let care = types.first?["services"]?.asList ?? []
                #expect(care.map { $0["name"]?.asText } == expected)
                #expect(care.allSatisfy { $0["brief"]?.asText?.isEmpty == false && $0["price"] != nil })
            }
        }
        let services = Market.edencare.serviceTypes.flatMap(\.services).map(\.id)
        #expect(Set(services) == Set(Market.edencare.defaults.servicePrices.keys))
    }

    @Test("C1: each service and each type has a picture, at the path that the list gives", arguments: Market.all)
    func images(market: Market) async throws {
        try await ProvidersGround.run { ground in
            let list = try await ground.get("markets/\(market.id)/services")
            #expect(list.items.count == market.serviceTypes.count)
            for type in list.items {
                for image in [type["image"]] + (type["services"]?.asList ?? []).map({ $0["image"] }) {
                    let path = try #require(image?.asText)
                    let answer = try await ground.client.execute(uri: path, method: .get)
                    #expect(answer.status == .ok && answer.headers[.contentType] == "image/svg+xml", "\(path)")
                    #expect(String(buffer: answer.body).hasPrefix("<svg "))
                }
            }
            for path in ["nothing.svg", "..%2Fsecret", "meals"] {
                let other = "/dispatch/v1/markets/\(market.id)/images/\(path)"
                #expect(try await ground.client.execute(uri: other, method: .get).status == .notFound)
            }
        }
    }

    @Test("a body that is no JSON is a 400, another kind of content a 415")
    func bodies() async throws {
        try await ProvidersGround.run { ground in
            let provider = try await ground.tell()
            for route in Self.routes where route.body != nil {
                let method = try #require(HTTPRequest.Method(rawValue: route.method))
                for (body, status) in [("{", 400), ("", 400), ("[]", 422), ("null", 422), (#"{"a":1,"a":2}"#, 400)] {
                    let answer = try await ground.ask(method, route.path, provider, "provider", body: body)
                    #expect(answer.status == status, "\(body) \(route)")
                }
                #expect(try await ground.ask(method, route.path, provider, "provider", body: nil).status == 415)
            }
        }
    }

    @Test("the OpenAPI document names each of these routes")
    func document() throws {
        let document = try OpenAPIDocument(yaml: String(decoding: PackageResources.openapi_yaml, as: UTF8.self))
        #expect(document.faults == [])
        let expected = Self.routes.map { "\($0.method) /dispatch/v1/\($0.path.split(separator: "?")[0])" }
            .map { $0.replacing("assef", with: "{market}") }
        let others = [
            "GET /dispatch/v1/markets/{market}", "GET /dispatch/v1/markets/{market}/services",
            "GET /dispatch/v1/orders/{id}/tracking",
        ]
        #expect(document.operations.isSuperset(of: expected + others))
    }
}
