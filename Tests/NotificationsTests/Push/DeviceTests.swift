import Contracts
import Crypto
import CryptoExtras
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiNotifications
@testable import ServiceKit

@Suite("Devices of push messages", .timeLimit(.minutes(15)))
struct DeviceTests {
    @Test(
        "N2: a browser registers with the key that the service gives, is listed, changed and removed by its owner alone"
    )
    func own() async throws {
        try await PushScene.run { scene in
            let key = try await scene.send("GET", "push-key").json["key"] as? String
            #expect(Base64URL.decode(key ?? "")?.count == 65)
            let browser = try await scene.register("phone")
            let body = browser.registration(at: scene.url, market: "btnc")
            #expect(try await scene.send("PUT", "devices/\(browser.id.text)", body).json["market"] as? String == "btnc")
            let listed = try await scene.send("GET", "devices").json["items"] as? [[String: Any]] ?? []
            #expect(listed.count == 1 && listed.first?["current"] as? Bool == true)
            let stranger = UUID.timeOrdered()
            #expect(try await scene.devices(stranger) == 0)
            #expect(try await scene.send("DELETE", "devices/\(browser.id.text)", account: stranger).status == 204)
            #expect(try await scene.devices() == 1)
            for _ in 0..<2 {
                #expect(try await scene.send("DELETE", "devices/\(browser.id.text)").status == 204)
            }
            #expect(try await scene.devices() == 0)
            for (method, path) in [("GET", "push-key"), ("GET", "devices"), ("PUT", "devices/\(browser.id.text)")] {
                let answer = try await scene.process.request(
                    method, "/notifications/v1/\(path)", token: nil, body: body)
                #expect(answer.status == 401)
            }
        }
    }

    @Test("N2, I14: addresses of devices are not to be read in the database")
    func sealed() async throws {
        try await PushScene.run { scene in
            let browser = try await scene.register("a-name-to-find")
            let dump = try #require(try await scene.world.pool.first(DumpDevices()))
            #expect(!dump.contains("a-name-to-find") && !dump.contains(Base64URL.encode(browser.secret)))
        }
    }

    @Test("N2: an account has ten devices at most, the last ones; a browser has one owner, the last one")
    func bounded() async throws {
        try await PushScene.run { scene in
            for number in 1...11 { try await scene.register("phone-\(number)") }
            #expect(try await scene.devices() == 10)
            let (shared, other) = (TestBrowser(name: "shared"), UUID.timeOrdered())
            let body = shared.registration(at: scene.url)
            #expect(try await scene.send("PUT", "devices/\(shared.id.text)", body).status == 200)
            #expect(
                try await scene.send("PUT", "devices/\(UUID.timeOrdered().text)", body, account: other).status == 200)
            #expect(try await scene.devices(other) == 1)
            #expect(try await scene.devices() == 9)
        }
    }

    @Test("N2: a device goes with its session, with a ban in its market, and with its account")
    func leaving() async throws {
        try await PushScene.run { scene in
            let (kept, now) = (UUID.timeOrdered(), Date())
            try await scene.register("phone")
            try await scene.register("desk", session: kept)
            try await scene.world.publish(
                SessionsEnded(account: scene.account, sessions: [scene.session], until: now + 600, at: now))
            try await scene.world.settle()
            try await eventually("its session is refused") { try await scene.send("GET", "devices").status == 401 }
            func devices() async throws -> Int { try await scene.world.pool.first(CountDevices()) ?? -1 }
            #expect(try await devices() == 1)
            // A request that was on its way when the session ended registers nothing.
            let late = StoreDevice(
                account: scene.account, id: .timeOrdered(), session: scene.session, market: "assef", kind: "web",
                host: "h", fingerprint: "f", sealed: "s", now: now)
            #expect(try await scene.world.pool.first(late) == nil)
            func ban(_ market: String) async throws {
                try await scene.world.publish(
                    AccountBanned(
                        account: scene.account, market: market, reason: "x", until: nil, by: .timeOrdered(), version: 3,
                        at: now))
                try await scene.world.settle()
            }
            try await ban("btnc")
            #expect(try await devices() == 1)
            try await ban("assef")
            #expect(try await devices() == 0)
            let (leaving, last) = (UUID.timeOrdered(), UUID.timeOrdered())
            func put(_ path: String, _ body: String) async throws -> Int {
                try await scene.send("PUT", path, body, account: leaving, session: last).status
            }
            try await scene.register("phone", account: leaving, session: last)
            #expect(try await put("quiet-hours", ChoiceTests.night) == 200)
            #expect(try await put("choices/money", #"{"push": false}"#) == 200)
            try await scene.world.publish(AccountDeleted(account: leaving, version: 6, at: now))
            try await scene.world.settle()
            #expect(try await devices() == 0)
            #expect(try await scene.world.pool.first(CountKept()) == 0)
            let again = TestBrowser(name: "late")
            #expect(try await put("devices/\(again.id.text)", again.registration(at: scene.url)) == 403)
        }
    }

    @Test(
        "N2, Q7: an endpoint is https and of the public Internet; keys and tokens have their form; API keys have no devices"
    )
    func refused() async throws {
        try await PushScene.run({ _ in ["SERAI_WEBHOOKS_PRIVATE_ALLOWED": "false"] }) { scene in
            let browser = TestBrowser(name: "x")
            let path = "devices/\(browser.id.text)"
            for base in [
                "http://push.example", "https://127.0.0.1", "https://localhost", "https://[::1]", "https://10.0.0.1",
                "https://169.254.169.254", "https://a:b@push.example", "ftp://push.example",
                "https://no-such-host.invalid",
            ] {
                let answer = try await scene.send("PUT", path, browser.registration(at: base))
                #expect(answer.status == 422 && answer.text.contains("/endpoint"), "\(base): \(answer.text)")
            }
            for body in [
                "{}", #"{"kind": "fcm", "market": "assef", "token": "abcdefghijklmnopqrstuvwxyz"}"#,
                #"{"kind": "web", "market": "nowhere", "endpoint": "https://1.1.1.1/x"}"#,
                #"{"kind": "web", "market": "assef", "endpoint": "https://1.1.1.1/x", "p256dh": "AA", "auth": "AA"}"#,
            ] {
                #expect(try await scene.send("PUT", path, body).status == 422, "\(body)")
            }
            let now = Date().timeIntervalSince1970
            let key = try await scene.world.tokens.sign(
                AccessTokenClaims(
                    sub: scene.account.text, iss: World.issuer, aud: "serai", exp: now + 600, iat: now - 10,
                    roles: [MarketRole(market: "assef", role: "customer")], sid: UUID.timeOrdered().text,
                    scopes: ["orders:read"]))
            for (method, path) in [("PUT", path), ("GET", "devices"), ("GET", "choices"), ("PUT", "quiet-hours")] {
                let answer = try await scene.process.request(
                    method, "/notifications/v1/\(path)", token: key, body: "{}")
                #expect(answer.status == 403)
            }
        }
    }

    @Test(
        "N2: Android is sent to by Firebase's API with one access token for many messages; a token that is gone is removed"
    )
    func firebase() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        try await PushScene.run({ url in
            let account: [String: String] = [
                "project_id": "serai-test", "client_email": "push@serai-test.example", "private_key_id": "k1",
                "private_key": key.pemRepresentation, "token_uri": "\(url)/sink/fcm/token",
            ]
            let json = String(decoding: try JSONEncoder().encode(account), as: UTF8.self)
            return ["SERAI_PUSH_FCM_ACCOUNT": json, "SERAI_PUSH_FCM_URL": "\(url)/sink/fcm"]
        }) { scene in
            let token = "fcm-token:\(UUID().uuidString)"
            let body = #"{"kind": "fcm", "market": "assef", "token": "\#(token)"}"#
            #expect(try await scene.send("PUT", "devices/\(UUID.timeOrdered().text)", body).status == 200)
            for riyals in 1...2 { try await scene.tip(riyals) }
            try await eventually("both have come") { scene.sandbox.pushes.messages(.fcm, to: token).count == 2 }
            #expect(scene.sandbox.pushes.tokens == 1)
            let sent = try #require(scene.sandbox.pushes.messages(.fcm).first.flatMap { Data(base64Encoded: $0.body) })
            let text = String(decoding: sent, as: UTF8.self)
            let item = try #require(try await scene.process.inbox(scene.account).last)
            for part in [item.subject, #""collapse_key":"\#(item.id.text)""#, #""priority":"NORMAL""#, "/assef/"] {
                #expect(text.contains(part), "\(part)")
            }
            scene.sandbox.pushes.answer(
                .fcm, with: .init(status: 404, body: #"{"error": {"details": [{"errorCode": "UNREGISTERED"}]}}"#))
            try await scene.tip(3)
            try await eventually("it is removed") { try await scene.devices() == 0 }
        }
    }

    @Test("N2: Apple's devices are sent to with a token of the team's key; a device that is gone is removed")
    func apple() async throws {
        let key = P256.Signing.PrivateKey()
        try await PushScene.run({ url in
            [
                "SERAI_PUSH_APNS_KEY": key.pemRepresentation, "SERAI_PUSH_APNS_KEY_ID": "ABC1234567",
                "SERAI_PUSH_APNS_TEAM": "TEAM123456", "SERAI_PUSH_APNS_URL": "\(url)/sink/apns",
            ]
        }) { scene in
            let token = String(repeating: "ab", count: 32)
            let body =
                #"{"kind": "apns", "market": "assef", "token": "\#(token.uppercased())", "topic": "sa.serai.app"}"#
            #expect(try await scene.send("PUT", "devices/\(UUID.timeOrdered().text)", body).status == 200)
            _ = try await scene.offer(600)
            try await eventually("it has come") { scene.sandbox.pushes.messages(.apns, to: token).count == 1 }
            let headers = try #require(scene.sandbox.pushes.messages(.apns).first?.headers)
            let item = try #require(try await scene.process.inbox(scene.account).first)
            #expect(headers["apns-topic"] == "sa.serai.app" && headers["apns-priority"] == "10")
            #expect(headers["apns-collapse-id"] == item.id.text)
            let parts = try #require(headers["authorization"]?.dropFirst("bearer ".count).split(separator: "."))
            try #require(parts.count == 3)
            let signature = try P256.Signing.ECDSASignature(
                rawRepresentation: try #require(Base64URL.decode(parts[2])))
            #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
            scene.sandbox.pushes.answer(.apns, with: .init(status: 410, body: #"{"reason": "Unregistered"}"#))
            _ = try await scene.offer(600)
            try await eventually("it is removed") { try await scene.devices() == 0 }
        }
    }
}

struct CountDevices: Statement {
    static let sql: SQL = "SELECT count(*) FROM devices"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct CountKept: Statement {
    static let sql: SQL = "SELECT (SELECT count(*) FROM quiet_hours) + (SELECT count(*) FROM notice_choices)"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct DumpDevices: Statement {
    static let sql: SQL = "SELECT string_agg(d::text, ' ') FROM devices d"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
