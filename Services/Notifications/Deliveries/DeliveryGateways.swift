import AsyncHTTPClient
import Foundation
import Messaging
import NIOCore
import NIOHTTP1

/// Where mails and SMS are handed over: `POST` with JSON `to`, `subject`, `text`, and the delivery's id as
/// `Idempotency-Key`.
struct DeliveryGateways: Sendable {
    struct Message: Encodable, Sendable {
        let to: String
        let subject: String?
        let text: String
    }

    enum Outcome: Sendable {
        case taken
        /// It can never be sent.
        case refused
        /// Nobody knows, or not now.
        case unknown
    }

    static let timeLimit: TimeAmount = .seconds(10)

    let client: HTTPClient
    /// By channel. Without one its deliveries wait.
    let urls: [String: String]

    static func makeClient() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
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
            request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(message)))
            let response = try await client.execute(request, timeout: Self.timeLimit)
            switch response.status.code {
            case 200..<300: return .taken
            // What is wrong with the request stays wrong; a timeout, too many, or an earlier one that still runs do not.
            case 408, 409, 425, 429: return .unknown
            case 400..<500: return .refused
            default: return .unknown
            }
        } catch {
            return .unknown
        }
    }
}
