import AsyncHTTPClient
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import ServiceKit

/// Sends to browsers, through the service that each has named (RFC 8030). The address is anybody's word, so it is
/// connected to as a webhook's is: nothing of our own network is reached.
struct WebPushGateway: PushGateway {
    static let timeLimit: TimeAmount = .seconds(8)

    let key: VAPIDKey
    let address: OutgoingAddress

    func send(_ message: PushMessage, to device: DeviceAddress, id: UUID, at now: Date) async -> PushOutcome {
        guard case .web(let endpoint, let p256dh, let auth) = device, let url = address.url(endpoint),
            let origin = Self.origin(url)
        else { return .gone }
        do {
            var request = HTTPClientRequest(url: endpoint)
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/octet-stream")
            request.headers.add(name: "content-encoding", value: "aes128gcm")
            request.headers.add(name: "ttl", value: String(message.lifetimeSeconds))
            request.headers.add(name: "urgency", value: message.isUrgent ? "high" : "normal")
            // At most 32 characters of base64url.
            request.headers.add(name: "topic", value: message.tag.text.replacing("-", with: ""))
            request.headers.add(name: "authorization", value: try key.authorization(for: origin, at: now))
            let cipher = try WebPushCipher(p256dh: p256dh, auth: auth)
            request.body = .bytes(ByteBuffer(bytes: try cipher.encrypt(try PushContent(message).encoded())))
            let ready = request
            return try await address.withClient(for: url) { client in
                let response = try await client.execute(ready, timeout: Self.timeLimit)
                return PushOutcome.ofStatus(
                    response.status.code, retryAfter: response.headers.first(name: "retry-after"))
            }
        } catch is WebPushCipher.Fault {
            return .gone
        } catch {
            return .silent
        }
    }

    /// Scheme, host and port, as RFC 6454 writes them.
    static func origin(_ url: URL) -> String? {
        guard let scheme = url.scheme, let host = url.host else { return nil }
        return "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
    }
}
