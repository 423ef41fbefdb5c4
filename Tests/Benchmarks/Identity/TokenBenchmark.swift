import BenchResults
import Crypto
import Foundation
import JWTKit
import Messaging
import ServiceKit

/// How many access tokens one thread checks in a second, and how many signatures of the same bytes it could verify.
enum TokenBenchmark {
    static func measure(rounds: Int, for limit: Duration, into results: inout Results) async throws {
        let key = try EdDSA.PrivateKey()
        let signer = await AccessTokenSigner(key: key, keyID: "bench")
        let verifier = await TokenVerifier(
            keys: try TokenKeySet(json: signer.keySetJSON.utf8), issuer: "https://serai.example/identity",
            audience: "serai")
        let now = Date().timeIntervalSince1970
        var tokens: [String] = []
        // More than the verifier remembers, so that it sees each as a new one.
        for _ in 0..<fresh { tokens.append(try await signer.sign(claims(at: now))) }
        let token = tokens[0]
        let bare = try Curve25519.Signing.PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
        let parts = token.split(separator: ".")
        let message = Data(parts.dropLast().joined(separator: ".").utf8)
        let padded = String(parts[2]).replacing("-", with: "+").replacing("_", with: "/") + "=="
        let signature = Data(base64Encoded: padded) ?? Data()
        guard bare.isValidSignature(signature, for: message) else { throw Wrong() }
        var (checks, known, verifies): ([Double], [Double], [Double]) = ([], [], [])
        var next = 0
        for round in 1...rounds {
            checks.append(
                try await perSecond(for: limit) {
                    next = (next + 1) % fresh
                    _ = try await verifier.verify(tokens[next])
                })
            known.append(try await perSecond(for: limit) { _ = try await verifier.verify(token) })
            verifies.append(try await perSecond(for: limit) { _ = bare.isValidSignature(signature, for: message) })
            Progress.tell("round \(round) of \(rounds): \(Int(checks.last ?? 0)) token checks a second")
        }
        results.add("token_checks_per_s", checks, "one thread, each token (\(token.utf8.count) bytes) a new one")
        results.add("known_token_checks_per_s", known, "the same token again and again")
        results.add("bare_verifies_per_s", verifies, "Ed25519 of the same bytes, one thread")
        results.add("token_checks_ratio", zip(checks, verifies).map { $0 / $1 }, "to the bare verify")
    }

    private static let fresh = 25_000

    private static func claims(at now: Double) -> AccessTokenClaims {
        AccessTokenClaims(
            sub: UUID.timeOrdered().text, iss: "https://serai.example/identity", aud: "serai", exp: now + 86_400,
            nbf: now, iat: now,
            roles: [MarketRole(market: "assef", role: "customer"), MarketRole(market: "assef", role: "provider")],
            sid: UUID.timeOrdered().text, locale: "ar", verified: ["assef"])
    }

    private struct Wrong: Error {}

    private static func perSecond(for limit: Duration, _ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        var count = 0
        repeat {
            for _ in 0..<100 { try await body() }
            count += 100
        } while ContinuousClock.now - start < limit
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }
}
