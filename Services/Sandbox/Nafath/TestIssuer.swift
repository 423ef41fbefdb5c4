import Crypto
import Foundation
import Synchronization

/// An in-memory OpenID Connect provider like Nafath: authorization code flow with PKCE, ES256, and keys that change on
/// request. People log in by name, without a password.
final class TestIssuer: Sendable {
    struct Client: Sendable, Equatable {
        var id = "serai"
        var secret = "nafath_sandbox"
    }

    /// The parameters of an authorization request.
    struct Request: Sendable {
        let redirect: String
        let state: String?
        let nonce: String?
        let challenge: String
    }

    /// The grant behind a code.
    struct Grant: Sendable {
        let person: TestPerson
        let request: Request
        let until: Date
    }

    struct Counts: Codable, Sendable, Equatable {
        var documents = 0
        var keySets = 0
        var tokens = 0
    }

    struct Key: Sendable {
        let id: String
        let privateKey: P256.Signing.PrivateKey
    }

    private struct State {
        var people = TestPerson.known
        var keys = [TestIssuer.newKey()]
        var codes: [String: Grant] = [:]
        var accessTokens: [String: TestPerson] = [:]
        var fault: IssuerFault?
        var counts = Counts()
        var clock: @Sendable () -> Date = { Date() }
    }

    static let codeSeconds: Double = 60

    let client: Client
    private let state = Mutex(State())

    init(client: Client = Client()) { self.client = client }

    // MARK: Set-up

    var people: [String: TestPerson] { state.withLock { $0.people } }
    var counts: Counts { state.withLock { $0.counts } }

    /// Stays until it is changed.
    var fault: IssuerFault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Sets the issuer's clock.
    func setClock(_ clock: @escaping @Sendable () -> Date) { state.withLock { $0.clock = clock } }

    func add(_ person: TestPerson, as name: String) { state.withLock { $0.people[name] = person } }

    /// Signs with a new key from now on. - Parameter keepsOld: whether the earlier keys stay published.
    func rotateKey(keepsOld: Bool = true) {
        let key = Self.newKey()
        state.withLock { state in
            if !keepsOld { state.keys = [] }
            state.keys.append(key)
        }
    }

    // MARK: The protocol

    func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0.counts) } }

    var now: Date {
        let clock = state.withLock { $0.clock }
        return clock()
    }

    var keys: [Key] { state.withLock { $0.keys } }

    /// Makes a code for a person; nil for an unknown name.
    func authorize(_ name: String, _ request: Request) -> String? {
        let now = now
        return state.withLock { state in
            guard let person = state.people[name] else { return nil }
            state.codes = state.codes.filter { $0.value.until > now }
            let code = Self.random()
            state.codes[code] = Grant(
                person: person, request: request, until: now.addingTimeInterval(Self.codeSeconds))
            return code
        }
    }

    /// Redeems a code. The first attempt uses it up, even if the attempt is wrong otherwise.
    func redeem(code: String, redirect: String?, verifier: String?) -> Grant? {
        let now = now
        guard let grant = state.withLock({ $0.codes.removeValue(forKey: code) }), grant.until > now,
            grant.request.redirect == redirect, let verifier,
            Self.base64URL(Data(SHA256.hash(data: Data(verifier.utf8)))) == grant.request.challenge
        else { return nil }
        return grant
    }

    func accessToken(for person: TestPerson) -> String {
        let token = Self.random()
        state.withLock { $0.accessTokens[token] = person }
        return token
    }

    func person(accessToken: String) -> TestPerson? { state.withLock { $0.accessTokens[accessToken] } }

    static func base64URL(_ data: Data) -> String {
        let text: String = data.base64EncodedString()
        return text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func newKey() -> Key { Key(id: String(random().prefix(12)), privateKey: P256.Signing.PrivateKey()) }

    private static func random() -> String {
        base64URL(Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
    }
}
