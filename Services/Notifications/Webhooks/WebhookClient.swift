import AsyncHTTPClient
import Foundation
import Messaging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import SeraiJSON
import ServiceKit

/// Sends one webhook to its endpoint, in the form of Standard Webhooks: the id, the time of the try, and signatures over both
/// and the body.
struct WebhookClient: Sendable {
    struct Answer: Sendable {
        let outcome: WebhookPlan.Outcome
        let status: Int?
        /// The beginning of the body, or why there is none.
        let text: String
    }

    static let timeLimit: TimeAmount = .seconds(20)
    static let answerBytes = 500
    /// From the head to the last byte that is read.
    static let answerLimit: Duration = .seconds(5)

    let address: OutgoingAddress
    let seal: DeliverySeal

    func send(_ due: DueWebhook, at now: Date) async -> Answer {
        let signatures: String
        do {
            signatures = try self.signatures(due, at: now)
        } catch {
            return Answer(outcome: .failed(retryAfterSeconds: nil), status: nil, text: "the secret cannot be opened")
        }
        guard let url = address.url(due.url) else {
            return Answer(outcome: .failed(retryAfterSeconds: nil), status: nil, text: "not an address")
        }
        do {
            return try await address.withClient(for: url) { await request(due, signatures, at: now, $0) }
        } catch {
            return Answer(
                outcome: .failed(retryAfterSeconds: nil), status: nil, text: "the host is unknown or not a public one")
        }
    }

    private func request(
        _ due: DueWebhook, _ signatures: String, at now: Date, _ client: HTTPClient
    ) async -> Answer {
        var request = HTTPClientRequest(url: due.url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "user-agent", value: "Serai-Webhooks/1")
        request.headers.add(name: "webhook-id", value: due.message.text)
        request.headers.add(name: "webhook-timestamp", value: String(Int(now.timeIntervalSince1970)))
        request.headers.add(name: "webhook-signature", value: signatures)
        request.body = .bytes(ByteBuffer(string: due.body))
        do {
            let response = try await client.execute(request, timeout: Self.timeLimit)
            let outcome = WebhookPlan.outcome(
                ofStatus: response.status.code, retryAfter: response.headers.first(name: "retry-after"))
            return Answer(outcome: outcome, status: Int(response.status.code), text: await Self.beginning(response))
        } catch {
            return Answer(
                outcome: .failed(retryAfterSeconds: nil), status: nil, text: "no answer in time, or no connection")
        }
    }

    /// Only as much as the log shows is read.
    private static func beginning(_ response: HTTPClientResponse) async -> String {
        var bytes: [UInt8] = []
        // The client limits the time until the head alone: a body of drops would hold up what is sent to others.
        let end = ContinuousClock.now + answerLimit
        do {
            for try await part in response.body {
                bytes += part.readableBytesView
                if bytes.count >= answerBytes || ContinuousClock.now > end { break }
            }
        } catch {
            // The status was the answer: what has come so far is shown.
            return shown(bytes)
        }
        return shown(bytes)
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(answerBytes), as: UTF8.self)
        return String(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 || $0 == "\n" })
    }

    private func signatures(_ due: DueWebhook, at now: Date) throws -> String {
        try [due.sealed, due.previousSealed].compactMap { $0 }.compactMap { sealed in
            let text = try seal.open(sealed, delivery: due.endpoint).to
            return WebhookSecret(text)?.signature(
                id: due.message.text, timestamp: Int(now.timeIntervalSince1970), body: due.body)
        }.joined(separator: " ")
    }
}
