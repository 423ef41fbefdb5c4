import Contracts
import Crypto
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiNotifications
@testable import ServiceKit

/// A browser that has subscribed to push messages, and can read them.
struct TestBrowser: Sendable {
    let name: String
    let id = UUID.timeOrdered()
    let key = P256.KeyAgreement.PrivateKey()
    let secret = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })

    func registration(at url: String, market: String = "assef") -> String {
        #"{"kind": "web", "market": "\#(market)", "endpoint": "\#(url)/sink/web-push/\#(name)", "#
            + #""p256dh": "\#(Base64URL.encode(key.publicKey.x963Representation))", "#
            + #""auth": "\#(Base64URL.encode(secret))"}"#
    }

    struct Shown: Decodable, Equatable {
        let title: String
        let body: String
        let url: String
        let lang: String
        let tag: String
        let urgent: Bool
    }

    /// The reverse of what the service does, written from RFC 8291 and 8188.
    func read(_ message: PushServices.Message) throws -> Shown {
        let bytes = try #require(Data(base64Encoded: message.body))
        let (salt, point, sealed) = (bytes.prefix(16), bytes[21..<86], bytes.dropFirst(86))
        let shared = try key.sharedSecretFromKeyAgreement(with: try .init(x963Representation: point))
        let input = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret,
            sharedInfo: Data("WebPush: info\0".utf8) + key.publicKey.x963Representation + point, outputByteCount: 32)
        func derive(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Data("Content-Encoding: \(name)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try AES.GCM.Nonce(data: derive("nonce", 12).withUnsafeBytes { Data($0) })
        let text = try AES.GCM.open(
            .init(nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)), using: derive("aes128gcm", 16)
        )
        #expect(text.last == 2)
        return try JSON.wire.decode(Shown.self, Array(text.dropLast()))
    }
}

/// The service beside a sandbox that plays the push services.
struct PushScene: Sendable {
    let world: World
    let process: NotificationsProcess
    let sandbox: SandboxServer
    let url: String
    let account = UUID.timeOrdered()
    let session = UUID.timeOrdered()

    static let vapid = String(repeating: "1f", count: 32)

    static func run(
        _ more: @Sendable @escaping (String) throws -> [String: String] = { _ in [:] },
        _ body: @Sendable @escaping (PushScene) async throws -> Void
    ) async throws {
        try await SandboxServer.withServer { sandbox, url in
            try await World.run { world in
                let settings = [
                    "SERAI_PUSH_VAPID_KEY": vapid, "SERAI_PUSH_VAPID_SUBJECT": "mailto:push@serai.example",
                    "SERAI_WEBHOOKS_PRIVATE_ALLOWED": "true",
                ].merging(try more(url)) { $1 }
                try await world.withProcess(settings) { process in
                    try await body(PushScene(world: world, process: process, sandbox: sandbox, url: url))
                }
            }
        }
    }

    func send(
        _ method: String, _ path: String, _ body: String? = nil, account: UUID? = nil, session: UUID? = nil
    ) async throws -> NotificationsProcess.Answer {
        let token = try await world.token(account ?? self.account, session: session ?? self.session)
        return try await process.request(method, "/notifications/v1/\(path)", token: token, body: body)
    }

    @discardableResult
    func register(_ name: String, account: UUID? = nil, session: UUID? = nil) async throws -> TestBrowser {
        let browser = TestBrowser(name: name)
        let answer = try await send(
            "PUT", "devices/\(browser.id.text)", browser.registration(at: url), account: account, session: session)
        #expect(answer.status == 200, "\(answer.text)")
        return browser
    }

    func devices(_ account: UUID? = nil) async throws -> Int {
        (try await send("GET", "devices", account: account).json["items"] as? [Any])?.count ?? -1
    }

    /// What a browser shows, in the order in which it came.
    func shown(_ browser: TestBrowser) throws -> [TestBrowser.Shown] {
        try sandbox.pushes.messages(.web, to: browser.name).map { try browser.read($0) }
    }

    /// An item about money, not urgent: a tip of so many riyals.
    func tip(_ riyals: Int, to account: UUID? = nil) async throws {
        try await world.publish(
            TipGiven(
                order: .timeOrdered(), market: "assef", customer: .timeOrdered(), provider: account ?? self.account,
                amount: Money(amount: riyals * 100, currency: "SAR"), at: Date()))
        try await world.settle()
    }

    /// An urgent item: a request whose window is open for some seconds.
    func offer(_ seconds: Double, to account: UUID? = nil) async throws -> Sample {
        let sample = Sample(provider: account ?? self.account)
        try await world.publish(
            OrderRequested(
                order: sample.snapshot(.requested, version: 1, by: .customer) {
                    $0.changedAt = Date()
                    $0.deadline = Date() + seconds
                }))
        try await world.settle()
        return sample
    }

    /// How many messages are in a state, whatever the device.
    func count(_ state: String) async throws -> Int { try await world.pool.first(CountPushes(state: state)) ?? 0 }

    /// Lets time pass: nothing waits for it any more.
    func wakeAll() async throws {
        try await world.pool.execute(WakePushes())
        try await world.pool.execute(WakeHosts())
    }
}

struct CountPushes: Statement {
    static let sql: SQL = "SELECT count(*) FROM deliveries WHERE channel = 'push' AND state = $1"
    let state: String
    func bind(_ bindings: inout Bindings) { bindings.append(state) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct WakePushes: Statement {
    static let sql: SQL = "UPDATE deliveries SET next_at = now() WHERE channel = 'push' AND state = 'waiting'"
}

struct WakeHosts: Statement {
    static let sql: SQL = "DELETE FROM paused_hosts"
}

struct AgeSentPushes: Statement {
    static let sql: SQL = """
        UPDATE deliveries SET ended_at = ended_at - interval '1 hour' WHERE channel = 'push' AND state = 'sent'
        """
}
