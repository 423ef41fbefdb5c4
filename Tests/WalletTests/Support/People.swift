import Contracts
import Foundation
import JWTKit
import Messaging
import Testing

@testable import ServiceKit

/// Somebody with an access token.
struct Person: Sendable {
    let account: UUID
    let name: String
    let token: String
}

/// Makes people.
struct People: Sendable {
    private let signer: AccessTokenSigner
    let verifier: TokenVerifier
    var keySetJSON: String { signer.keySetJSON }

    init() async throws {
        signer = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
        verifier = await TokenVerifier(
            keys: try TokenKeySet(json: signer.keySetJSON.utf8), issuer: "https://serai.example/identity",
            audience: "serai")
    }

    func customer(_ name: String = "Salem") async throws -> Person { try await person(name, "customer") }
    func provider(_ name: String = "Noura") async throws -> Person { try await person(name, "provider") }
    func master() async throws -> Person { try await person("Admin", "admin", in: "*") }

    func person(_ name: String, _ role: String, in market: String = "assef") async throws -> Person {
        try await person(name, roles: [role], in: market)
    }

    /// An API key of somebody for a market.
    func key(
        of person: Person, in market: String, _ scopes: [String] = ["orders:read", "orders:write"]
    ) async throws -> Person {
        let now = Date().timeIntervalSince1970
        let claims = AccessTokenClaims(
            sub: person.account.text, iss: "https://serai.example/identity", aud: "serai", exp: now + 600, iat: now,
            roles: [MarketRole(market: market, role: "customer")], sid: UUID.timeOrdered().text, scopes: scopes)
        return Person(account: person.account, name: person.name, token: try await signer.sign(claims))
    }

    func person(_ name: String, roles: [String], in market: String = "assef") async throws -> Person {
        let account = UUID.timeOrdered()
        let now = Date().timeIntervalSince1970
        let claims = AccessTokenClaims(
            sub: account.text, iss: "https://serai.example/identity", aud: "serai", exp: now + 600, iat: now,
            roles: roles.map { MarketRole(market: market, role: $0) }, sid: UUID.timeOrdered().text)
        return Person(account: account, name: name, token: try await signer.sign(claims))
    }
}

/// Snapshots as dispatch tells them.
enum Orders {
    static func accepted(by customer: Person, _ provider: Person, amount: Int = 12_000) -> OrderSnapshot {
        let now = Date()
        return OrderSnapshot(
            order: .timeOrdered(), market: "assef", kind: "visit", version: 2, state: .accepted,
            customer: .init(account: customer.account, name: customer.name),
            provider: .init(account: provider.account, name: provider.name),
            services: [
                .init(service: "wound-care", name: ["en": "Wound care", "ar": "العناية بالجروح"], price: amount)
            ],
            total: Money(amount: amount, currency: "SAR"), payment: .init(method: nil, state: .unpaid), confirmedBy: [],
            deadline: now.addingTimeInterval(600), by: .provider, reason: nil, requestedAt: now, changedAt: now)
    }
}

extension OrderSnapshot {
    /// The same order later on.
    func now(_ state: State, version: Int = 6) -> OrderSnapshot {
        var later = self
        later.state = state
        later.version = version
        later.deadline = nil
        return later
    }
}
