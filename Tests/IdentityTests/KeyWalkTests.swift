import Foundation
import HTTPTypes
import Messaging
import TestKit
import Testing

@testable import ServiceKit

@Suite("X9, Q7: what API keys may ask, over the documents of all services")
struct KeyWalkTests {
    private static let id = UUID.timeOrdered()

    /// Operations that name nothing: what a key sees and makes by them is bound in the route itself, and there is a test of it
    /// (`KeyOrderTests`, `WebhookTests`). Whoever opens another one writes both.
    private static let collections: Set = [
        "GET /dispatch/v1/orders", "POST /dispatch/v1/orders", "GET /dispatch/v1/orders.csv",
        "GET /dispatch/v1/series", "POST /dispatch/v1/series", "POST /dispatch/v1/quotes", "POST /dispatch/v1/photos",
        "GET /notifications/v1/webhooks", "POST /notifications/v1/webhooks",
    ]

    private static func document(of service: String) throws -> OpenAPIDocument {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Services/\(service)/openapi.yaml")
        return try OpenAPIDocument(yaml: String(contentsOf: file, encoding: .utf8))
    }

    /// The first thing that a path names, as its template says it.
    private static func subject(_ template: String) -> KeySubject {
        let parts = template.split(separator: "/").map(String.init)
        guard let index = parts.firstIndex(where: { $0.hasPrefix("{") }), index > 0 else { return .collection }
        return switch (parts[0], parts[index - 1]) {
        case (_, "markets"): .market("assef")
        case ("dispatch", "orders"), ("dispatch", "hires"), ("wallet", "orders"): .thing(.order, id)
        case (_, "quotes"): .thing(.quote, id)
        case (_, "series"): .thing(.series, id)
        case (_, "webhooks"): .thing(.webhook, id)
        default: .market("nothing that a key may name")
        }
    }

    private static func path(_ template: String) -> String {
        template.split(separator: "/").map { part in
            part.hasPrefix("{") ? (part == "{market}" ? "assef" : id.text) : String(part)
        }.reduce("") { "\($0)/\($1)" }
    }

    @Test(
        "X9, Q7: each operation that a key may ask names a thing whose owner is checked, or is one of the bound lists")
    func walk() throws {
        var open: Set<String> = []
        for service in ["Identity", "Dispatch", "Wallet", "Notifications", "Admin"] {
            for operation in try Self.document(of: service).operations {
                let words = operation.split(separator: " ").map(String.init)
                let (method, template) = (try #require(HTTPRequest.Method(rawValue: words[0])), words[1])
                let path = Self.path(template)
                guard KeyScope.allows(Set(KeyScope.allCases.map(\.rawValue)), method, path) else { continue }
                open.insert(operation)
                let expected = Self.subject(template)
                #expect(KeyArea.subject(of: path) == expected, "\(operation)")
                if expected == .collection { #expect(Self.collections.contains(operation), "\(operation)") }
            }
        }
        #expect(open.isSuperset(of: Self.collections))
        // Enough to post a parcel with its photo, to order a ride and to hire a bike, and nothing of a provider's or an admin's.
        for wanted in [
            "POST /dispatch/v1/markets/{market}/parcels", "POST /dispatch/v1/markets/{market}/rides",
            "POST /dispatch/v1/hires/{id}/code", "POST /wallet/v1/orders/{order}/payment",
        ] { #expect(open.contains(wanted), "\(wanted)") }
        for closed in [
            "GET /dispatch/v1/markets/{market}/earnings", "PUT /dispatch/v1/markets/{market}/availability",
            "GET /dispatch/v1/markets/{market}/board", "GET /dispatch/v1/markets/{market}/restaurant",
            "GET /dispatch/v1/photos/{id}", "GET /wallet/v1/markets/{market}/payments",
        ] { #expect(!open.contains(closed), "\(closed)") }
    }

    @Test(
        "X9: a key's market is its only role's; a token that says none, or two, is bound to a market that there is not")
    func market() {
        func caller(_ markets: [String], _ scopes: Set<String>?) -> Caller {
            Caller(
                accountID: Self.id, sessionID: nil,
                roles: Set(markets.map { MarketRole(market: $0, role: "customer") }), expires: .distantFuture,
                scopes: scopes)
        }
        #expect(caller(["assef"], nil).keyMarket == nil)
        #expect(caller(["assef"], ["orders:read"]).keyMarket == "assef")
        #expect(caller(["assef", "btnc"], ["orders:read"]).keyMarket == "")
        #expect(caller([], []).keyMarket == "")
    }
}
