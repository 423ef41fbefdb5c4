import AsyncHTTPClient
import Crypto
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import SeraiJSON
import ServiceKit

/// Sends to Apple's devices by the Apple Push Notification service, over HTTP/2, with tokens of a key of the
/// developer's team.
struct APNsGateway: PushGateway {
    static let timeLimit: Duration = .seconds(8)
    static let answerBytes = 4_096
    /// A token is taken for an hour, and a new one not more often than each 20 minutes.
    static let tokenSeconds: Double = 2_700

    let url: String
    let client: HTTPClient
    private let team: String
    private let keyID: String
    private let key: P256.Signing.PrivateKey
    private let tokens = KeptToken()

    /// - Parameter keyPEM: the `.p8` file. Nil for what is no such key.
    init?(keyPEM: String, keyID: String, team: String, url: String, client: HTTPClient) {
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: keyPEM)
        } catch {
            return nil
        }
        (self.keyID, self.team, self.url, self.client) = (keyID, team, url, client)
    }

    private struct Claims: Encodable {
        let iss: String
        let iat: Int
    }

    private struct Body: Encodable {
        struct Alert: Encodable { let title, body: String }
        struct APS: Encodable {
            let alert: Alert
            let sound: String?
            private enum CodingKeys: String, CodingKey { case alert, sound }
        }
        let aps: APS
        let url: String
        let kind: String
    }

    private struct Reason: Decodable { let reason: String? }

    func send(_ message: PushMessage, to device: DeviceAddress, id: UUID, at now: Date) async -> PushOutcome {
        guard case .apns(let token, let topic) = device else { return .gone }
        do {
            let bearer = try await tokens.value(at: now) {
                let claims = Claims(iss: team, iat: Int(now.timeIntervalSince1970))
                return KeptToken.Kept(
                    token: try SignedToken.es256(claims, keyID: keyID, key),
                    until: now.addingTimeInterval(Self.tokenSeconds))
            }
            let content = PushContent(message)
            var request = HTTPClientRequest(url: "\(url)/3/device/\(token)")
            request.method = .POST
            request.headers.add(name: "authorization", value: "bearer \(bearer ?? "")")
            request.headers.add(name: "apns-topic", value: topic)
            request.headers.add(name: "apns-push-type", value: "alert")
            request.headers.add(name: "apns-id", value: id.text)
            request.headers.add(name: "apns-priority", value: message.isUrgent ? "10" : "5")
            request.headers.add(
                name: "apns-expiration",
                value: String(Int(now.timeIntervalSince1970) + message.lifetimeSeconds))
            request.headers.add(name: "apns-collapse-id", value: content.tag)
            let body = Body(
                aps: .init(
                    alert: .init(title: content.title, body: content.body),
                    sound: message.isUrgent ? "default" : nil),
                url: content.url, kind: content.kind)
            request.body = .bytes(ByteBuffer(bytes: try JSON.wire.encode(body)))
            let (response, answer) = try await client.whole(
                request, within: Self.timeLimit, upTo: Self.answerBytes)
            let outcome = Self.outcome(
                response.status.code, retryAfter: response.headers.first(name: "retry-after"),
                reason: Self.reason(Array(answer.readableBytesView)))
            if response.status == .forbidden { tokens.forget() }
            return outcome
        } catch {
            return .silent
        }
    }

    private static func reason(_ body: [UInt8]) -> String? {
        // try?: an answer that is no JSON names no reason.
        (try? JSON.wire.decode(Reason.self, body))?.reason
    }

    static func outcome(_ status: UInt, retryAfter: String?, reason: String?) -> PushOutcome {
        switch (status, reason) {
        case (410, _), (400, "BadDeviceToken"?), (400, "DeviceTokenNotForTopic"?), (400, "TopicDisallowed"?): .gone
        // A wrong path is ours.
        case (404, _): .later(afterSeconds: nil)
        default: .ofStatus(status, retryAfter: retryAfter)
        }
    }
}
