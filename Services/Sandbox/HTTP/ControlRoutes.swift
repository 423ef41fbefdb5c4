import Foundation
import Hummingbird

/// Routes for tests and simulations: the sandbox's books, its webhooks and its outages.
struct ControlRoutes {
    let api: StripeAPI
    let webhooks: WebhookSender

    private struct Totals: Encodable {
        let currency: String
        let payments, authorised, captured, cancelled, refunded, disputed, paidOut, held: Int
    }

    private struct NewDispute: Decodable {
        let paymentIntent: String
        let amount: Int?
        let reason: String?
        let status: String?
    }

    private struct DisputeChange: Decodable { let status: String }

    private struct OutsideRefund: Decodable {
        let paymentIntent: String
        let amount: Int?
    }

    private struct WebhookChange: Decodable {
        let url: String?
        let secret: String?
        let copies: Int?
    }

    private struct ProviderChange: Decodable {
        let isDown: Bool?
        let isBalanceLow: Bool?
    }

    func add(to router: Router<SandboxContext>) {
        router.get("health") { _, _ in Response(status: .noContent) }
        let routes = router.group("sandbox")
        routes.get("payments") { _, _ in
            let items = api.totals.sorted { $0.key < $1.key }.map { currency, totals in
                Totals(
                    currency: currency.uppercased(), payments: totals.payments, authorised: totals.authorised,
                    captured: totals.captured, cancelled: totals.cancelled, refunded: totals.refunded,
                    disputed: totals.disputed, paidOut: totals.paidOut, held: totals.held)
            }
            return Response(json: try JSONEncoder().encode(["items": items]))
        }
        routes.get("customers") { _, _ in
            let counts = ["customers": api.customerCount, "paymentMethods": api.attachedCount]
            return Response(json: try JSONEncoder().encode(counts))
        }
        routes.get("webhooks") { _, _ in Response(json: try JSONEncoder().encode(webhooks.counts)) }
        routes.put("webhooks") { request, context in
            let change = try await Self.decode(WebhookChange.self, request, context)
            guard (1...100).contains(change.copies ?? 1) else {
                throw HTTPError(.badRequest, message: "copies is between 1 and 100")
            }
            webhooks.change { target in
                if let url = change.url { target.url = url.isEmpty ? nil : url }
                if let secret = change.secret { target.secret = secret }
                if let copies = change.copies { target.copies = copies }
            }
            return Response(status: .noContent)
        }
        addOutside(to: routes)
        routes.delete("keys") { _, _ in
            api.forgetKeys()
            return Response(status: .noContent)
        }
        routes.put("provider") { request, context in
            let change = try await Self.decode(ProviderChange.self, request, context)
            if let isDown = change.isDown { api.setDown(isDown) }
            if let isLow = change.isBalanceLow { api.setBalanceLow(isLow) }
            return Response(status: .noContent)
        }
    }

    /// Routes for acts of cards' owners, of banks, and in the dashboard.
    private func addOutside(to routes: RouterGroup<SandboxContext>) {
        routes.post("disputes") { request, context in
            let wanted = try await Self.decode(NewDispute.self, request, context)
            guard let status = CardDispute.Status(rawValue: wanted.status ?? "needs_response"), !status.isClosed,
                let id = api.dispute(
                    wanted.paymentIntent, wanted.amount, reason: wanted.reason ?? "fraudulent", as: status)
            else { throw HTTPError(.badRequest, message: "no such payment, or no such status") }
            return Response(status: .created, json: try JSONEncoder().encode(["dispute": id]))
        }
        routes.put("disputes/{id}") { request, context in
            let change = try await Self.decode(DisputeChange.self, request, context)
            guard let status = CardDispute.Status(rawValue: change.status),
                api.changeDispute(try context.parameters.require("id"), to: status)
            else { throw HTTPError(.badRequest, message: "no such dispute, it is closed, or no such status") }
            return Response(status: .noContent)
        }
        routes.post("refunds") { request, context in
            let wanted = try await Self.decode(OutsideRefund.self, request, context)
            guard api.refundOutside(wanted.paymentIntent, wanted.amount) else {
                throw HTTPError(.badRequest, message: "no such payment, or it is less")
            }
            return Response(status: .noContent)
        }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ request: Request, _ context: SandboxContext
    ) async throws -> Value {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw HTTPError(.badRequest, message: "not the JSON that is wanted")
        }
    }
}
