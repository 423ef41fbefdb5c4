import Foundation
import JWTKit
import Messaging

@testable import ServiceKit

/// Somebody who calls.
struct TestCaller: Sendable {
    let account: UUID
    let roles: [MarketRole]

    init(account: UUID = .timeOrdered(), roles: [MarketRole]) {
        self.account = account
        self.roles = roles
    }
}

/// Signs access tokens that the service under test accepts.
struct TestTokens: Sendable {
    static let issuer = "https://serai.test/identity"
    static let audience = "serai"
    private let signer: AccessTokenSigner

    init() async throws {
        signer = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
    }

    var keySetJSON: String { signer.keySetJSON }

    func token(_ caller: TestCaller) async throws -> String {
        let now = Date().timeIntervalSince1970
        return try await signer.sign(
            AccessTokenClaims(
                sub: caller.account.text, iss: Self.issuer, aud: Self.audience, exp: now + 600, nbf: now, iat: now,
                roles: caller.roles, sid: nil))
    }
}
