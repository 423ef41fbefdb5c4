import Crypto
import CryptoExtras
import Foundation
import JWTKit
import Messaging
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

/// Keys, a signer and a verifier that belong together.
struct TokenFixture {
    static let issuer = "https://serai.test/identity"
    static let audience = "serai"
    let key: EdDSA.PrivateKey
    let signer: AccessTokenSigner
    let verifier: TokenVerifier
    let account = UUID.timeOrdered()
    let session = UUID.timeOrdered()
    let now = Date(timeIntervalSince1970: 1_800_000_000)

    init(keyID: String = "key-1") async throws {
        key = try EdDSA.PrivateKey()
        signer = await AccessTokenSigner(key: key, keyID: keyID)
        verifier = await TokenVerifier(
            keys: try TokenKeySet(json: signer.keySetJSON.utf8), issuer: Self.issuer, audience: Self.audience)
    }

    func claims(
        at date: Date? = nil, lifetime: Double = 600,
        roles: [MarketRole] = [MarketRole(market: "assef", role: "customer")]
    ) -> AccessTokenClaims {
        let issued = (date ?? now).timeIntervalSince1970
        return AccessTokenClaims(
            sub: account.text, iss: Self.issuer, aud: Self.audience, exp: issued + lifetime, nbf: issued, iat: issued,
            roles: roles, sid: session.text, locale: "ar-SA")
    }

    /// A token of this moment, for servers that know only the real time.
    func currentToken(roles: [MarketRole] = []) async throws -> String {
        try await signer.sign(claims(at: Date(), roles: roles))
    }
}

@Suite("I15: access tokens")
struct TokenTests {
    @Test("I15: a good token names account, session, roles and language")
    func good() async throws {
        let fixture = try await TokenFixture()
        let caller = try await fixture.verifier.verify(fixture.signer.sign(fixture.claims()), now: fixture.now)
        #expect(caller.accountID == fixture.account)
        #expect(caller.sessionID == fixture.session)
        #expect(caller.has("customer", in: "assef"))
        #expect(!caller.has("customer", in: "hajji"))
        #expect(!caller.has("admin", in: "assef"))
        #expect(caller.language == .arabic)
        #expect(throws: Problem.forbidden) { try caller.require("admin", in: "assef") }
        try caller.require(anyOf: ["admin", "customer"], in: "assef")
    }

    @Test("a role in every market is one in each")
    func everywhere() async throws {
        let fixture = try await TokenFixture()
        let claims = fixture.claims(roles: [MarketRole(market: "*", role: "master")])
        let caller = try await fixture.verifier.verify(fixture.signer.sign(claims), now: fixture.now)
        #expect(caller.has("master", in: "carrepsa"))
        #expect(!caller.has("admin", in: "carrepsa"))
    }

    @Test("expired, not yet valid, wrong audience, wrong issuer and wrong claims are refused")
    func refusedClaims() async throws {
        let fixture = try await TokenFixture()
        func refusal(_ change: (inout AccessTokenClaims) -> Void) async throws -> TokenVerifier.Refusal? {
            var claims = fixture.claims()
            change(&claims)
            let token = try await fixture.signer.sign(claims)
            do {
                _ = try await fixture.verifier.verify(token, now: fixture.now)
                return nil
            } catch {
                return error
            }
        }
        let now = fixture.now.timeIntervalSince1970
        #expect(try await refusal { _ in } == nil)
        #expect(try await refusal { $0.exp = now - 31 } == .expired)
        #expect(try await refusal { $0.exp = now - 29 } == nil)
        #expect(try await refusal { $0.nbf = now + 31 } == .notYetValid)
        #expect(try await refusal { $0.nbf = now + 29 } == nil)
        #expect(
            try await refusal {
                $0.iat = now + 100; $0.nbf = nil
            } == .notYetValid)
        #expect(try await refusal { $0.aud = AudienceClaim(value: ["other"]) } == .wrongAudience)
        #expect(try await refusal { $0.aud = AudienceClaim(value: ["other", "serai"]) } == nil)
        #expect(try await refusal { $0.iss = "https://evil.test" } == .wrongIssuer)
        #expect(try await refusal { $0.sub = "somebody" } == .badClaims)
        #expect(try await refusal { $0.sid = "session" } == .badClaims)
    }

    @Test("I15: none, symmetric and other algorithms are refused, and so are changed tokens")
    func refusedTokens() async throws {
        let fixture = try await TokenFixture()
        let good = try await fixture.signer.sign(fixture.claims())
        let parts = good.split(separator: ".").map(String.init)
        func head(_ json: String) -> String { Base64URL.encode(Data(json.utf8)) }
        let publicKey = SymmetricKey(data: fixture.key.publicKey.rawRepresentation)
        let symmetricHead = head(#"{"alg":"HS256","kid":"key-1","typ":"JWT"}"#) + "." + parts[1]
        let symmetric = Data(HMAC<SHA256>.authenticationCode(for: Data(symmetricHead.utf8), using: publicKey))
        let stranger = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
        let unknown = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-2")
        let cases: [(String, TokenVerifier.Refusal)] = [
            ("", .malformed), ("a.b", .malformed), ("..", .malformed), ("a.b.c.d", .malformed),
            (parts[0] + "." + parts[1] + ".", .badSignature),
            (head(#"{"alg":"none","kid":"key-1"}"#) + "." + parts[1] + ".", .wrongAlgorithm),
            (head(#"{"alg":"none"}"#) + "." + parts[1] + "." + parts[2], .wrongAlgorithm),
            (symmetricHead + "." + Base64URL.encode(symmetric), .wrongAlgorithm),
            (head(#"{"alg":"EdDSA","kid":"key-1","crit":["x"]}"#) + "." + parts[1] + "." + parts[2], .wrongAlgorithm),
            (head(#"{"alg":"EdDSA"}"#) + "." + parts[1] + "." + parts[2], .unknownKey),
            (head(#"{"alg":"EdDSA","kid":"key-1","typ":"logout+jwt"}"#) + "." + parts[1] + "." + parts[2], .malformed),
            (head(#"{"alg":"EdDSA","kid":"key-1","typ":"JWT"}"#) + "." + parts[1] + "." + parts[2], .badSignature),
            (try await unknown.sign(fixture.claims()), .unknownKey),
            (try await stranger.sign(fixture.claims()), .badSignature),
            (good + String(repeating: "A", count: 5_000), .tooLarge),
        ]
        for (token, refusal) in cases {
            await #expect(throws: refusal, "\(token.prefix(60))") {
                try await fixture.verifier.verify(token, now: fixture.now)
            }
        }
    }

    @Test("I15: parts that are signed and said twice, or are not what they have to be, are refused")
    func ambiguous() async throws {
        let key = Curve25519.Signing.PrivateKey()
        let x = Base64URL.encode(key.publicKey.rawRepresentation)
        let keySet = #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"key-1","x":"\#(x)"}]}"#
        let verifier = await TokenVerifier(
            keys: try TokenKeySet(json: keySet.utf8), issuer: TokenFixture.issuer, audience: TokenFixture.audience)
        let account = UUID.timeOrdered().text
        let times = #""exp":1800000600,"iat":1800000000"#
        let good = #""sub":"\#(account)","iss":"\#(TokenFixture.issuer)","aud":"serai","roles":[],\#(times)"#
        func token(_ head: String, _ claims: String) throws -> String {
            let text = [head, claims].map { Base64URL.encode(Data("{\($0)}".utf8)) }.joined(separator: ".")
            return text + "." + Base64URL.encode(try key.signature(for: Data(text.utf8)))
        }
        let head = #""alg":"EdDSA","kid":"key-1""#
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(try await verifier.verify(token(head, good), now: now).accountID.text == account)
        let cases: [(String, String, TokenVerifier.Refusal)] = [
            (#""alg":"none",\#(head)"#, good, .malformed), (#"\#(head),"kid":"key-1""#, good, .malformed),
            (#""alg":["EdDSA"],"kid":"key-1""#, good, .malformed), (#""kid":"key-1""#, good, .malformed),
            (#"\#(head),"crit":["b64"],"b64":false"#, good, .wrongAlgorithm),
            (#"\#(head),"crit":[]"#, good, .wrongAlgorithm), (#"\#(head),"crit":null"#, good, .wrongAlgorithm),
            (#""alg":"eddsa","kid":"key-1""#, good, .wrongAlgorithm),
            (#""alg":"EdDSA","kid":1"#, good, .unknownKey),
            // A key that the token brings itself is nobody's.
            (#""alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}"#, good, .unknownKey),
            (head, #"\#(good),"sub":"\#(UUID.timeOrdered().text)""#, .badClaims),
            (head, #"\#(good),"exp":9999999999"#, .badClaims),
            (head, good.replacing(times, with: #""exp":"never","iat":1800000000"#), .badClaims),
            (head, good.replacing(times, with: #""iat":1800000000"#), .badClaims),
            (head, #"\#(good),"nbf":"soon""#, .badClaims), (head, #"\#(good),"sid":7"#, .badClaims),
            (head, good.replacing(#""roles":[]"#, with: #""roles":[{"market":"assef"}]"#), .badClaims),
            (head, good.replacing(#""aud":"serai""#, with: #""aud":["serai",1]"#), .badClaims),
            (head, good.replacing(#""aud":"serai""#, with: #""aud":[]"#), .badClaims),
        ]
        for (head, claims, refusal) in cases {
            await #expect(throws: refusal, "\(head) \(claims)") {
                try await verifier.verify(token(head, claims), now: now)
            }
        }
    }

    @Test("a token with any character changed is refused")
    func changed() async throws {
        let fixture = try await TokenFixture()
        var generator = SeededGenerator()
        let good = Array(try await fixture.signer.sign(fixture.claims()))
        for _ in 0..<300 {
            var characters = good
            let index = Int.random(in: 0..<characters.count, using: &generator)
            let replacement = Array("ABCabc019-_.=\u{0}ü").randomElement(using: &generator) ?? "A"
            // The last character of a part has bits that do not count.
            let isLast = index + 1 == good.count || good[index + 1] == "."
            guard replacement != good[index], !isLast else { continue }
            characters[index] = replacement
            await #expect(throws: TokenVerifier.Refusal.self, "\(generator)") {
                try await fixture.verifier.verify(String(characters), now: fixture.now)
            }
        }
    }

    @Test("I15: a token that was good before is looked at again: its time, its session, its key")
    func again() async throws {
        let fixture = try await TokenFixture()
        let ended = Mutex(false)
        let verifier = await TokenVerifier(
            keys: try TokenKeySet(json: fixture.signer.keySetJSON.utf8), issuer: TokenFixture.issuer,
            audience: TokenFixture.audience, isEnded: { _ in ended.withLock { $0 } })
        let token = try await fixture.signer.sign(fixture.claims())
        for _ in 1...2 { _ = try await verifier.verify(token, now: fixture.now) }
        await #expect(throws: TokenVerifier.Refusal.expired) {
            try await verifier.verify(token, now: fixture.now + 700)
        }
        ended.withLock { $0 = true }
        await #expect(throws: TokenVerifier.Refusal.sessionEnded) {
            try await verifier.verify(token, now: fixture.now)
        }
        ended.withLock { $0 = false }
        let other = try await TokenFixture(keyID: "key-2")
        await verifier.replaceKeys(try TokenKeySet(json: other.signer.keySetJSON.utf8))
        await #expect(throws: TokenVerifier.Refusal.unknownKey) {
            try await verifier.verify(token, now: fixture.now)
        }
    }

    /// One key of each algorithm, all under ids of their own.
    private func keys() throws -> [AccessTokenKey] {
        [
            .ed25519(Curve25519.Signing.PrivateKey()), .p256(P256.Signing.PrivateKey()),
            .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048)),
        ]
    }

    private func keySet(_ keys: [(id: String, key: AccessTokenKey)]) throws -> TokenKeySet {
        let jwks = try keys.map { try $0.key.publicJWK(id: $0.id) }.joined(separator: ",")
        return try TokenKeySet(json: "{\"keys\":[\(jwks)]}".utf8)
    }

    @Test("I15: tokens by EdDSA, ES256 and RS256 are taken beside each other, each by the key of its algorithm")
    func algorithms() async throws {
        let fixture = try await TokenFixture()
        let keys = try keys()
        let named = keys.map { (id: $0.algorithm, key: $0) }
        let set = try keySet(named)
        #expect(set.algorithms == ["ES256", "EdDSA", "RS256"])
        let verifier = await TokenVerifier(
            keys: set, issuer: TokenFixture.issuer, audience: TokenFixture.audience)
        for (id, key) in named {
            let token = try await AccessTokenSigner(key, keyID: id).sign(fixture.claims())
            let header = try JSONValue(parsing: try #require(Base64URL.decode(token.prefix { $0 != "." })))
            #expect(header["alg"] == .string(key.algorithm))
            #expect(try await verifier.verify(token, now: fixture.now).accountID == fixture.account)
            let own = try await AccessTokenSigner(key, keyID: id).keySetJSON
            #expect(try TokenKeySet(json: own.utf8).keyIDs == [id])
        }
    }

    @Test("I15: a key signs by its own algorithm alone, whatever the token's head says")
    func confusion() async throws {
        let fixture = try await TokenFixture()
        let keys = try keys()
        for key in keys {
            let verifier = await TokenVerifier(
                keys: try keySet([("k", key)]), issuer: TokenFixture.issuer, audience: TokenFixture.audience)
            for other in keys where other.algorithm != key.algorithm {
                // By another key of another algorithm, under the id of the known one.
                let foreign = try await AccessTokenSigner(other, keyID: "k").sign(fixture.claims())
                await #expect(throws: TokenVerifier.Refusal.wrongAlgorithm) {
                    try await verifier.verify(foreign, now: fixture.now)
                }
                // By the known key, with the other's name in the head.
                let parts = try await AccessTokenSigner(key, keyID: "k").sign(fixture.claims()).split(separator: ".")
                let head = Base64URL.encode(Data(#"{"alg":"\#(other.algorithm)","kid":"k","typ":"at+jwt"}"#.utf8))
                await #expect(throws: TokenVerifier.Refusal.wrongAlgorithm) {
                    try await verifier.verify("\(head).\(parts[1]).\(parts[2])", now: fixture.now)
                }
            }
            // HMAC with the public key as its secret.
            for secret in try key.publicMembers.map({ Data($0.value.utf8) }) {
                let parts = try await AccessTokenSigner(key, keyID: "k").sign(fixture.claims()).split(separator: ".")
                let start = "\(Base64URL.encode(Data(#"{"alg":"HS256","kid":"k"}"#.utf8))).\(parts[1])"
                let code = HMAC<SHA256>.authenticationCode(for: Data(start.utf8), using: SymmetricKey(data: secret))
                await #expect(throws: TokenVerifier.Refusal.wrongAlgorithm) {
                    try await verifier.verify("\(start).\(Base64URL.encode(Data(code)))", now: fixture.now)
                }
            }
        }
    }

    @Test("keys can be replaced while the service runs")
    func replaced() async throws {
        let fixture = try await TokenFixture()
        let next = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-2")
        let old = try await fixture.signer.sign(fixture.claims())
        let new = try await next.sign(fixture.claims())
        await #expect(throws: TokenVerifier.Refusal.unknownKey) {
            try await fixture.verifier.verify(new, now: fixture.now)
        }
        await fixture.verifier.replaceKeys(try TokenKeySet(json: next.keySetJSON.utf8))
        _ = try await fixture.verifier.verify(new, now: fixture.now)
        await #expect(throws: TokenVerifier.Refusal.unknownKey) {
            try await fixture.verifier.verify(old, now: fixture.now)
        }
    }

    @Test("a key set has keys for EdDSA, ES256 and RS256, each once, none private; others are passed over")
    func keySets() async throws {
        let x = Base64URL.encode(try EdDSA.PrivateKey().publicKey.rawRepresentation)
        func load(_ keys: String) throws(TokenKeySet.LoadError) -> Set<String> {
            try TokenKeySet(json: #"{"keys":[\#(keys)]}"#.utf8).keyIDs
        }
        let good = #"{"kty":"OKP","crv":"Ed25519","kid":"a","x":"\#(x)"}"#
        let secret = #"{"kty":"oct","kid":"r","k":"AQAB"}"#
        let other = #"{"kty":"OKP","crv":"Ed25519","kid":"o","x":"\#(x)","alg":"ES256"}"#
        let encryption = #"{"kty":"OKP","crv":"Ed25519","kid":"e","x":"\#(x)","use":"enc"}"#
        #expect(try load("\(good),\(encryption),\(other)") == ["a"])
        #expect(throws: TokenKeySet.LoadError.noUsableKey) { try load(other) }
        // A secret of any kind lies where everybody may read.
        #expect(throws: TokenKeySet.LoadError.privateKey("r")) { try load("\(good),\(secret)") }
        #expect(throws: TokenKeySet.LoadError.repeatedKeyID("a")) { try load("\(good),\(good)") }
        #expect(throws: TokenKeySet.LoadError.privateKey("p")) {
            try load(#"{"kty":"OKP","crv":"Ed25519","kid":"p","x":"\#(x)","d":"\#(x)"}"#)
        }
        #expect(throws: TokenKeySet.LoadError.badKey("b")) {
            try load(#"{"kty":"OKP","crv":"Ed25519","kid":"b","x":"AAAA"}"#)
        }
        #expect(throws: TokenKeySet.LoadError.badKey("s")) {
            try load(#"{"kty":"RSA","kid":"s","n":"AQAB","e":"AQAB"}"#)
        }
        #expect(throws: TokenKeySet.LoadError.badKey("c")) {
            try load(#"{"kty":"EC","crv":"P-256","kid":"c","x":"\#(x)","y":"\#(x)"}"#)
        }
        #expect(throws: TokenKeySet.LoadError.notAKeySet) { try TokenKeySet(json: "[]".utf8) }
    }
}
