import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Receives the payment provider's webhooks, authenticated by their signature.
struct WebhookRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<SeraiRequestContext>) {
        group.post("webhooks/stripe", use: take)
    }

    @Sendable private func take(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        guard let name = HTTPField.Name("Stripe-Signature"), let header = request.headers[name] else {
            throw Problem.invalidSignature
        }
        let body = Data(try await request.body.collect(upTo: context.maxUploadSize).readableBytesView)
        guard parts.signature.accepts(header, body: body, at: parts.clock()) else { throw Problem.invalidSignature }
        let received = Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: #"{"received":true}"#)))
        // Signed, but unreadable events are not about our objects: they are acknowledged so that they are not sent
        // again.
        guard let head = try? JSON.wire.decode(StripeJSON.EventHead.self, body) else {
            throw Problem.malformedBody
        }
        guard (1...255).contains(head.id.utf8.count) else { return received }
        if let version = head.api_version, version != PaymentProvider.apiVersion { reportVersion(version) }
        if head.type.hasPrefix("payment_intent.") {
            guard let event = try? JSON.wire.decode(StripeJSON.Event.self, body) else { return received }
            try await parts.pool.withTransaction { transaction in
                _ = try await HandleWebhook.take(event, at: parts.clock(), in: transaction)
            }
        } else if head.type == "charge.refunded" {
            guard let event = try? JSON.wire.decode(StripeJSON.RefundEvent.self, body) else {
                return received
            }
            report(
                try await parts.pool.withTransaction { transaction in
                    try await HandleWebhook.take(event, at: parts.clock(), in: transaction)
                })
        } else if head.type.hasPrefix("charge.dispute.") {
            // try?: an unreadable event is not about a charge of this service.
            guard let event = try? JSON.wire.decode(StripeJSON.DisputeEvent.self, body) else {
                return received
            }
            try await parts.pool.withTransaction { transaction in
                try await HandleWebhook.take(event, at: parts.clock(), in: transaction)
            }
        } else if head.type == "refund.failed" || head.type == "refund.updated" {
            // try?: an unreadable event is not about a refund of this service.
            guard let event = try? JSON.wire.decode(StripeJSON.RefundChange.self, body) else {
                return received
            }
            report(
                try await parts.pool.withTransaction { transaction in
                    try await HandleWebhook.take(event, at: parts.clock(), in: transaction)
                })
        } else if head.type == "payout.paid" || head.type == "payout.failed" || head.type == "payout.canceled" {
            // try?: an unreadable event is not about a cash-out of this service.
            guard let event = try? JSON.wire.decode(PayoutJSON.Event.self, body) else { return received }
            report(
                try await parts.pool.withTransaction { transaction in
                    try await HandleWebhook.take(event, at: parts.clock(), in: transaction)
                })
        }
        return received
    }

    /// The event is taken nevertheless: what is read of it has been the same in all versions so far, and its sender would
    /// repeat a refused one for days. The version belongs to the webhook's endpoint, which an operator sets.
    private func reportVersion(_ version: String) {
        let word = version.prefix(40).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        parts.logger.error(
            "the payment provider sends events of another version",
            metadata: ["version": "\(word)", "expected": "\(PaymentProvider.apiVersion)"])
    }

    private func report(_ event: UnfollowedEvent?) {
        guard let event else { return }
        WalletMetrics.unfollowed(event.kind)
        parts.logger.error(
            "what the payment provider tells of money is not followed here",
            metadata: [
                "event": "\(event.kind.rawValue)",
                event.kind == .secondPayout ? "cashout.id" : "charge.id": "\(event.subject.text)",
                LogKeys.orderID: "\(event.order?.text ?? "")",
            ])
    }
}
