import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOFoundationEssentialsCompat
import NIOHTTP1

/// The form in which an app hands a card to the payment provider, and nobody else, with the publishable key.
struct PaymentProviderForm: Sendable {
    let network: PhoneNetwork

    private static let publishableKey = "pk_test_sandbox"

    private struct Made: Decodable { let id: String }

    /// - Returns: the payment provider's id of the card.
    /// - Throws: ``Refusal``; ``SentMessages/NoSandbox`` where there is no payment provider to hand it to.
    func hand(_ card: TestCard, cvv: String, holder: String) async throws -> String {
        guard let url = network.sandboxURL else { throw SentMessages.NoSandbox() }
        let fields = [
            "key": Self.publishableKey, "type": "card", "card[number]": card.number, "card[exp_month]": "12",
            "card[exp_year]": "2034", "card[cvc]": cvv, "billing_details[name]": holder,
        ]
        var request = HTTPClientRequest(url: "\(url)/v1/payment_methods")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(
            ByteBuffer(
                string: fields.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }.joined(separator: "&")))
        let answer = try await network.client.execute(request, timeout: .seconds(20))
        let body = Data(buffer: try await answer.body.collect(upTo: 1 << 20))
        guard answer.status == .ok else {
            throw Refusal(status: Int(answer.status.code), body: body, request: "POST /v1/payment_methods")
        }
        return try JSONDecoder().decode(Made.self, from: body).id
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
