import AsyncHTTPClient
import Foundation
import HTTPTypes
import Logging
import Messaging
import NIOCore
import NIOHTTP1
import ServiceKit

/// The payment provider, through Stripe's API: forms in, JSON out. Each request that moves money has an idempotency
/// key, under which it happens once.
///
/// Nothing is retried here: the callers decide. No transaction is open during a request.
struct PaymentProvider: Sendable {
    struct Settings: Sendable {
        /// Without a path.
        let url: String
        let key: Redacted<String>
        /// Where customers return after confirming a payment.
        var returnURL = "http://127.0.0.1/payments"
        /// The time limit for requests that a person waits for.
        var tokenLimit: Duration = .seconds(5)
        /// The time limit for a worker's requests.
        var chargeLimit: Duration = .seconds(10)
    }

    /// An answer about a charge.
    enum Answer: Sendable {
        case known(Charge.Outcome, reference: String?)
        /// The request may have been performed. The text is for the log and contains no secret.
        case unknown(String)
        /// The request may have been performed. The payment provider had an internal fault, which the same key may
        /// repeat.
        case fault(String)
        /// The reply was understood, but the step cannot end with it. Asking again soon will hardly help.
        case unexpected(String)
        /// The payment provider does not know the charge.
        case absent
        /// The refund is refused permanently. The text is for the log and contains no secret.
        case refused(String)

        var isFault: Bool { if case .fault = self { true } else { false } }
    }

    /// An error of a request about a card. None of these requests charges anything.
    enum CardError: Error, Sendable, Equatable {
        /// The payment provider rejects the card; its own code.
        case refused(String)
        case unavailable
    }

    /// The version of Stripe's API in which answers and events are read. Without it, the account's default version would
    /// decide their shape. A change comes with a look at each form and answer here, at the sandbox, and at the version
    /// of the webhook's endpoint in the dashboard.
    static let apiVersion = "2024-06-20"

    static let answerLimitBytes = 262_144

    let settings: Settings
    let client: HTTPClient

    /// Makes a client that sends each request once: no redirects and no connection retries. A request's limit
    /// counts until the reply's last byte.
    static func makeClient() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.tlsConfiguration = OutgoingTLS.configuration()
        configuration.timeout = .init(connect: .seconds(3), read: .seconds(10))
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // MARK: Requests

    /// Whether an identifier, which comes from outside, may be put into a path.
    static func isPathSafe(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || byte == 0x5f
            }
    }

    func post(_ path: String, _ form: FormBody, key: String?, limit: Duration) async throws -> Reply {
        var request = HTTPClientRequest(url: settings.url + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        request.body = .bytes(ByteBuffer(string: form.text))
        return try await send(request, limit: limit)
    }

    func get(_ path: String, limit: Duration) async throws -> Reply {
        try await send(HTTPClientRequest(url: settings.url + path), limit: limit)
    }

    func delete(_ path: String, limit: Duration) async throws -> Reply {
        var request = HTTPClientRequest(url: settings.url + path)
        request.method = .DELETE
        return try await send(request, limit: limit)
    }

    struct Reply: Sendable {
        let status: UInt
        let body: Data
    }

    private func send(_ plain: HTTPClientRequest, limit: Duration) async throws -> Reply {
        var request = plain
        request.headers.add(name: "Authorization", value: "Bearer \(settings.key.revealed)")
        request.headers.add(name: "Stripe-Version", value: Self.apiVersion)
        let (head, body) = try await client.whole(request, within: limit, upTo: Self.answerLimitBytes)
        return Reply(status: head.status.code, body: Data(body.readableBytesView))
    }
}
