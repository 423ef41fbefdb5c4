import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat

/// What the sandbox's payment provider has taken and told so far.
struct OutsideMoney {
    let captured: Int
    let held: Int
    let pendingWebhooks: Int
    let deliveredWebhooks: Int

    private struct Payments: Decodable {
        struct Totals: Decodable { let captured, held: Int }
        let items: [Totals]
    }

    private struct Webhooks: Decodable { let pending, delivered: Int }

    static func now(_ platform: Platform) async throws -> OutsideMoney {
        let payments: Payments = try await get("\(platform.sandbox)/sandbox/payments")
        let webhooks: Webhooks = try await get("\(platform.sandbox)/sandbox/webhooks")
        return OutsideMoney(
            captured: payments.items.map(\.captured).reduce(0, +), held: payments.items.map(\.held).reduce(0, +),
            pendingWebhooks: webhooks.pending, deliveredWebhooks: webhooks.delivered)
    }

    private static func get<Value: Decodable>(_ url: String) async throws -> Value {
        let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(5))
        let body = Data(buffer: try await response.body.collect(upTo: 1 << 20))
        return try JSONDecoder().decode(Value.self, from: body)
    }
}
