import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Messaging
import Postgres
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
        guard parts.signature.accepts(header, body: body, at: Date()) else { throw Problem.invalidSignature }
        let received = Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: #"{"received":true}"#)))
        // Signed, but unreadable events are not about our objects: they are acknowledged so that they are not sent
        // again.
        guard let head = try? JSONDecoder().decode(StripeJSON.EventHead.self, from: body) else {
            throw Problem.malformedBody
        }
        guard (1...255).contains(head.id.utf8.count) else { return received }
        if head.type.hasPrefix("payment_intent.") {
            guard let event = try? JSONDecoder().decode(StripeJSON.Event.self, from: body) else { return received }
            try await parts.pool.withTransaction { transaction in
                _ = try await HandleWebhook.take(event, at: Date(), in: transaction)
            }
        } else if head.type == "charge.refunded" {
            guard let event = try? JSONDecoder().decode(StripeJSON.RefundEvent.self, from: body) else {
                return received
            }
            report(
                try await parts.pool.withTransaction { transaction in
                    try await HandleWebhook.take(event, at: Date(), in: transaction)
                })
        } else if head.type.hasPrefix("charge.dispute.") {
            // try?: an unreadable event is not about a charge of this service.
            guard let event = try? JSONDecoder().decode(StripeJSON.DisputeEvent.self, from: body) else {
                return received
            }
            try await parts.pool.withTransaction { transaction in
                try await HandleWebhook.take(event, at: Date(), in: transaction)
            }
        } else if head.type == "refund.failed" || head.type == "refund.updated" {
            // try?: an unreadable event is not about a refund of this service.
            guard let event = try? JSONDecoder().decode(StripeJSON.RefundChange.self, from: body) else {
                return received
            }
            report(
                try await parts.pool.withTransaction { transaction in
                    try await HandleWebhook.take(event, at: Date(), in: transaction)
                })
        } else if head.type == "payout.paid" || head.type == "payout.failed" || head.type == "payout.canceled" {
            // try?: an unreadable event is not about a cash-out of this service.
            guard let event = try? JSONDecoder().decode(PayoutJSON.Event.self, from: body) else { return received }
            report(
                try await parts.pool.withTransaction { transaction in
                    try await HandleWebhook.take(event, at: Date(), in: transaction)
                })
        }
        return received
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
