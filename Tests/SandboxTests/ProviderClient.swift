import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A caller of the payment provider, over HTTP.
struct ProviderClient: Sendable {
    let url: String
    var key = "sk_test_sandbox"
    /// The version of the API that is asked for; nil asks for none.
    var version: String? = "2024-06-20"

    struct Answer<Body: Decodable & Sendable>: Sendable {
        let status: Int
        let isRepeated: Bool
        let version: String?
        let data: Data
        var body: Body {
            get throws {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return try decoder.decode(Body.self, from: data)
            }
        }
        var failure: Failure {
            get throws {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return try decoder.decode([String: Failure].self, from: data)["error"] ?? Failure()
            }
        }
    }

    struct Identified: Decodable, Sendable { let id: String }

    struct Method: Decodable, Sendable {
        struct Card: Decodable, Sendable, Equatable {
            let brand, last4: String
            let expMonth, expYear: Int
        }
        let id: String
        let card: Card
    }

    struct Intent: Decodable, Sendable, Equatable {
        let id, status, currency: String
        let amount, amountCapturable, amountReceived: Int
        let latestCharge: String?
        let metadata: [String: String]
    }

    struct Failure: Decodable, Sendable {
        var type: String?
        var code: String?
        var declineCode: String?
        var param: String?
        var message: String?
        var paymentIntent: Intent?
    }

    func post<Body>(
        _ path: String, _ form: [String: String], key idempotencyKey: String? = nil, as type: Body.Type = Intent.self
    ) async throws -> Answer<Body> {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let idempotencyKey { request.headers.add(name: "Idempotency-Key", value: idempotencyKey) }
        request.body = .bytes(ByteBuffer(string: Self.encode(form)))
        return try await send(request)
    }

    func get<Body>(_ path: String, as type: Body.Type = Intent.self) async throws -> Answer<Body> {
        try await send(HTTPClientRequest(url: url + path))
    }

    func delete(_ path: String) async throws -> Answer<Identified> {
        var request = HTTPClientRequest(url: url + path)
        request.method = .DELETE
        return try await send(request)
    }

    /// With JSON, for the sink and the sandbox's own routes.
    func json(_ method: String, _ path: String, _ body: String = "") async throws -> Answer<Identified> {
        var request = HTTPClientRequest(url: url + path)
        request.method = .RAW(value: method)
        if !body.isEmpty { request.body = .bytes(ByteBuffer(string: body)) }
        return try await send(request)
    }

    func method(_ number: String) async throws -> String {
        let form = Self.card(number)
        return try await post("/v1/payment_methods", form, as: Method.self).body.id
    }

    static func card(
        _ number: String, month: String = "12", year: String = "2040", code: String = "123"
    ) -> [String:
        String]
    {
        [
            "type": "card", "card[number]": number, "card[exp_month]": month, "card[exp_year]": year,
            "card[cvc]": code, "billing_details[name]": "Sara Al-Harbi",
        ]
    }

    /// An authorisation to be captured later.
    static func payment(_ method: String, amount: Int = 12_500, capture: String = "manual") -> [String: String] {
        [
            "amount": "\(amount)", "currency": "sar", "payment_method": method, "capture_method": capture,
            "confirm": "true", "metadata[order]": "0198 & more",
        ]
    }

    private func send<Body>(_ plain: HTTPClientRequest) async throws -> Answer<Body> {
        var request = plain
        request.headers.add(name: "Authorization", value: "Bearer \(key)")
        if let version { request.headers.add(name: "Stripe-Version", value: version) }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let body = try await answer.body.collect(upTo: 1 << 20)
        return Answer(
            status: Int(answer.status.code), isRepeated: answer.headers.first(name: "Idempotent-Replayed") == "true",
            version: answer.headers.first(name: "Stripe-Version"), data: Data(body.readableBytesView))
    }

    private static func encode(_ form: [String: String]) -> String {
        let allowed = CharacterSet.alphanumerics
        return form.map { key, value in
            let parts = [key, value].map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
            return parts.joined(separator: "=")
        }.joined(separator: "&")
    }
}
