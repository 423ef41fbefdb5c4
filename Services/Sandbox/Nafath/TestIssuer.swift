import Crypto
import Foundation
import Synchronization

/// An OpenID Connect provider in memory, as Nafath is one: authorization code flow with PKCE, ES256, keys that change when
/// they are told to. Who logs in is said by name; there is no password.
final class TestIssuer: Sendable {
    struct Client: Sendable, Equatable {
        var id = "serai"
        var secret = "nafath_sandbox"
    }

    /// What an authorization asks for.
    struct Request: Sendable {
        let redirect: String
        let state: String?
        let nonce: String?
        let challenge: String
    }

    /// What a code stands for.
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

    /// Holds until the next one.
    var fault: IssuerFault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// What time it is for the issuer.
    func setClock(_ clock: @escaping @Sendable () -> Date) { state.withLock { $0.clock = clock } }

    func add(_ person: TestPerson, as name: String) { state.withLock { $0.people[name] = person } }

    /// Signs with a new key from now on. - Parameter keepsOld: whether the ones before are still published.
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

    /// The code with which a person goes back. Nil for a name that nobody has.
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

    /// A code is used up by the first who shows it, whatever else he says.
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
