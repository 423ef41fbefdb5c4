import AsyncHTTPClient
import CryptoExtras
import Foundation
import Messaging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import SeraiJSON
import ServiceKit

/// Sends to Android by Firebase Cloud Messaging's HTTP v1 API, with access tokens that its service account signs for.
struct FCMGateway: PushGateway {
    static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    static let timeLimit: Duration = .seconds(8)
    static let answerBytes = 65_536

    /// The JSON file of a service account, as the console gives it.
    struct Account: Decodable, Sendable {
        let project_id: String
        let client_email: String
        let private_key_id: String?
        /// PEM.
        let private_key: String
        let token_uri: String
    }

    let account: Account
    let url: String
    let client: HTTPClient
    private let key: _RSA.Signing.PrivateKey
    private let tokens = KeptToken()

    /// Nil for a file that is none of a service account.
    init?(accountJSON: String, url: String, client: HTTPClient) {
        do {
            account = try JSON.wire.decode(Account.self, Array(accountJSON.utf8))
            key = try _RSA.Signing.PrivateKey(pemRepresentation: account.private_key)
        } catch {
            return nil
        }
        self.url = url
        self.client = client
    }

    private struct Claims: Encodable {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int
        let exp: Int
    }

    private struct Grant: Decodable {
        let access_token: String
        let expires_in: Double?
    }

    private struct Body: Encodable {
        struct Message: Encodable {
            struct Android: Encodable {
                struct Shown: Encodable { let tag: String }
                let priority: String
                let ttl: String
                let collapse_key: String
                let notification: Shown
            }
            struct Shown: Encodable { let title, body: String }
            let token: String
            let notification: Shown
            let data: [String: String]
            let android: Android
        }
        let message: Message
    }

    func send(_ message: PushMessage, to device: DeviceAddress, id: UUID, at now: Date) async -> PushOutcome {
        guard case .fcm(let token) = device else { return .gone }
        do {
            guard let access = try await tokens.value(at: now, or: { try await grant(at: now) }) else {
                return .later(afterSeconds: nil)
            }
            var request = HTTPClientRequest(url: "\(url)/v1/projects/\(account.project_id)/messages:send")
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/json")
            request.headers.add(name: "authorization", value: "Bearer \(access)")
            request.body = .bytes(ByteBuffer(bytes: try JSON.wire.encode(Self.body(message, token))))
            let (response, body) = try await client.whole(request, within: Self.timeLimit, upTo: Self.answerBytes)
            let answer = String(buffer: body)
            if response.status == .unauthorized { tokens.forget() }
            return Self.outcome(
                response.status.code, retryAfter: response.headers.first(name: "retry-after"), answer: answer)
        } catch {
            return .silent
        }
    }

    private static func body(_ message: PushMessage, _ token: String) -> Body {
        let content = PushContent(message)
        return Body(
            message: .init(
                token: token, notification: .init(title: content.title, body: content.body),
                data: ["url": content.url, "tag": content.tag, "kind": content.kind],
                android: .init(
                    priority: message.isUrgent ? "HIGH" : "NORMAL", ttl: "\(message.lifetimeSeconds)s",
                    collapse_key: content.tag, notification: .init(tag: content.tag))))
    }

    /// A token that is no longer one of this sender's is a device that is gone. Without such a code a 404 is a wrong
    /// address of ours, and a 400 what is wrong with the message.
    static func outcome(_ status: UInt, retryAfter: String?, answer: String) -> PushOutcome {
        if ["UNREGISTERED", "SENDER_ID_MISMATCH"].contains(where: answer.contains) { return .gone }
        if status == 404 { return .later(afterSeconds: nil) }
        return .ofStatus(status, retryAfter: retryAfter)
    }

    /// RFC 7523: an assertion for an access token. Nil if it is refused.
    private func grant(at now: Date) async throws -> KeptToken.Kept? {
        let seconds = Int(now.timeIntervalSince1970)
        let claims = Claims(
            iss: account.client_email, scope: Self.scope, aud: account.token_uri, iat: seconds, exp: seconds + 3_600)
        let assertion = try SignedToken.rs256(claims, keyID: account.private_key_id, key)
        var request = HTTPClientRequest(url: account.token_uri)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(
            ByteBuffer(
                string: "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"))
        let (response, body) = try await client.whole(request, within: Self.timeLimit, upTo: Self.answerBytes)
        guard response.status == .ok else { return nil }
        let grant = try JSON.wire.decode(Grant.self, Array(body.readableBytesView))
        return KeptToken.Kept(
            token: grant.access_token, until: now.addingTimeInterval((grant.expires_in ?? 3_600) - 120))
    }
}
