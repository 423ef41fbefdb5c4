import AsyncHTTPClient
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import SeraiJSON
import ServiceKit

/// The gateways for mails and SMS: `POST` with the JSON members `to`, `subject` and `text`, and the delivery's id as
/// `Idempotency-Key`.
struct DeliveryGateways: Sendable {
    struct Message: Encodable, Sendable {
        let to: String
        let subject: String?
        let text: String
    }

    enum Outcome: Sendable {
        case taken
        /// The gateway will never accept this message.
        case refused
        /// The result is unknown, or the gateway cannot accept the message now.
        case unknown
    }

    static let timeLimit: TimeAmount = .seconds(10)

    let client: HTTPClient
    /// By channel. Deliveries of a channel without a URL wait.
    let urls: [String: String]

    static func makeClient() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.tlsConfiguration = OutgoingTLS.configuration()
        configuration.timeout = .init(connect: .seconds(3), read: .seconds(10))
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func send(_ message: Message, by channel: String, id: UUID) async -> Outcome {
        guard let url = urls[channel] else { return .unknown }
        do {
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/json")
            request.headers.add(name: "idempotency-key", value: id.text)
            request.body = .bytes(ByteBuffer(bytes: try JSON.wire.encode(message)))
            let response = try await client.execute(request, timeout: Self.timeLimit)
            return Self.outcome(ofStatus: response.status.code)
        } catch {
            return .unknown
        }
    }

    /// Only errors of the message itself are final. Permissions, addresses and limits of the gateway can be repaired.
    static func outcome(ofStatus code: UInt) -> Outcome {
        switch code {
        case 200..<300: .taken
        case 400, 413, 415, 422: .refused
        default: .unknown
        }
    }
}
