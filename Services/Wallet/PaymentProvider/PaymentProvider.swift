import AsyncHTTPClient
import Foundation
import HTTPTypes
import Logging
import Messaging
import NIOCore
import NIOHTTP1
import ServiceKit

/// The payment provider, through Stripe's API: forms in, JSON out, each charging request with a key under which it
/// happens once.
///
/// Nothing here is tried again: who asks knows whether and when. No transaction is open while it is asked.
struct PaymentProvider: Sendable {
    struct Settings: Sendable {
        /// Without a path.
        let url: String
        let key: Redacted<String>
        /// Where customers come back to from a page that a payment has sent them to.
        var returnURL = "http://127.0.0.1/payments"
        /// How long a person's request waits for it.
        var tokenLimit: Duration = .seconds(5)
        /// How long a worker waits for it.
        var chargeLimit: Duration = .seconds(10)
    }

    /// What it said of a charge.
    enum Answer: Sendable {
        case known(Charge.Outcome, reference: String?)
        /// It may have happened or not. For the log, without anything secret.
        case unknown(String)
        /// It may have happened or not, and the payment provider had a fault: the same key may repeat this.
        case fault(String)
        /// It was understood and says nothing that the step can end with; asking again soon will hardly help.
        case unexpected(String)
        /// It has never heard of the charge.
        case absent
        /// It gives nothing back, whenever it is asked again. For the log, without anything secret.
        case refused(String)

        var isFault: Bool { if case .fault = self { true } else { false } }
    }

    /// Of a request about a card. Nothing was charged by any of them.
    enum CardError: Error, Sendable, Equatable {
        /// The payment provider does not take the card: its own code.
        case refused(String)
        case unavailable
    }

    static let answerLimitBytes = 262_144

    let settings: Settings
    let client: HTTPClient

    /// A client that asks once: no redirects, no proxy's retries, no wait for a host that does not answer. The deadline
    /// of a request ends with the answer's head; the limit for reading keeps a body that stops from holding a worker.
    static func makeClient() -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.tlsConfiguration = OutgoingTLS.configuration()
        configuration.timeout = .init(connect: .seconds(3), read: .seconds(10))
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // MARK: Requests

    /// Identifiers come from outside and go into a path.
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
        let response = try await client.execute(
            request, deadline: .now() + .milliseconds(Int64(limit / .milliseconds(1))))
        let body = try await response.body.collect(upTo: Self.answerLimitBytes)
        return Reply(status: response.status.code, body: Data(body.readableBytesView))
    }
}
