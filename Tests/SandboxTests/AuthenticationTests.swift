import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestKit
import Testing

@testable import Sandbox

@Suite("Methods and customers at the sandbox's provider", .timeLimit(.minutes(15)))
struct AuthenticationTests {
    private struct Action: Decodable {
        struct NextAction: Decodable {
            struct Redirect: Decodable { let url, returnUrl: String }
            let type: String
            let redirectToUrl: Redirect
        }
        let id, status: String
        let nextAction: NextAction?
    }

    @Test("W4: a card whose bank asks waits for its customer, who answers once, and only by the payment's own key")
    func asks() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            for (yes, status) in [(true, "requires_capture"), (false, "requires_payment_method")] {
                var form = ProviderClient.payment(try await client.method("4000002760003184"))
                #expect(try await client.post("/v1/payment_intents", form).failure.param == "return_url")
                form["return_url"] = "https://serai.example/back?order=1"
                let asked = try JSONDecoder.stripe.decode(
                    Action.self, from: try await client.post("/v1/payment_intents", form).data)
                let action = try #require(asked.nextAction)
                #expect(asked.status == "requires_action" && action.type == "redirect_to_url")
                #expect(action.redirectToUrl.returnUrl == "https://serai.example/back?order=1")
                #expect(sandbox.totals["sar"]?.payments ?? 0 == (yes ? 0 : 1))
                let page = String(action.redirectToUrl.url.split(separator: "?")[0])
                let key = String(action.redirectToUrl.url.split(separator: "=")[1])
                #expect(try await Self.answer(page, "wrong", yes: true).status == .notFound)
                #expect(try await Self.answer(page, "", yes: true).status == .notFound)
                let back = try await Self.answer(page, key, yes: yes)
                #expect(back.status == .seeOther)
                let location = back.headers.first(name: "Location") ?? ""
                #expect(
                    location.hasPrefix("https://serai.example/back?order=1&payment_intent=\(asked.id)&redirect_status=")
                )
                #expect(try await Self.answer(page, key, yes: true).status == .notFound)
                #expect(try await client.get("/v1/payment_intents/\(asked.id)").body.status == status)
            }
            #expect(sandbox.totals["sar"]?.payments == 1)
        }
    }

    @Test("W3: a card that belongs to a customer is charged again and again, without one once, and detached never")
    func customers() async throws {
        try await SandboxServer.withServer { sandbox, url async throws in
            let client = ProviderClient(url: url)
            let once = try await client.method("4242424242424242")
            #expect(try await client.post("/v1/payment_intents", ProviderClient.payment(once)).status == 200)
            #expect(try await client.post("/v1/payment_intents", ProviderClient.payment(once)).status == 400)

            let stored = try await client.method("4242424242424242")
            let customer = try await client.post("/v1/customers", [:], as: ProviderClient.Identified.self).body.id
            let path = "/v1/payment_methods/\(stored)"
            #expect(try await client.post("\(path)/attach", ["customer": customer]).status == 200)
            var form = ProviderClient.payment(stored)
            #expect(try await client.post("/v1/payment_intents", form).status == 400)
            form["customer"] = customer
            for _ in 0..<2 { #expect(try await client.post("/v1/payment_intents", form).status == 200) }
            let renewed = ["card[exp_month]": "5", "card[exp_year]": "2045"]
            let changed = try await client.post(path, renewed, as: ProviderClient.Method.self)
            #expect(try changed.body.card.expYear == 2045)
            #expect(sandbox.attachedCount == 1)
            for status in [200, 400] { #expect(try await client.post("\(path)/detach", [:]).status == status) }
            #expect(try await client.post("/v1/payment_intents", form).status == 400)
            #expect(sandbox.attachedCount == 0)
        }
    }

    @Test("W3: off-session nobody can be asked", arguments: [("4000002760003184", 402), ("4000002500003155", 200)])
    func offSession(number: String, status: Int) async throws {
        try await SandboxServer.withServer { _, url async throws in
            let client = ProviderClient(url: url)
            var form = ProviderClient.payment(try await client.method(number))
            form["off_session"] = "true"
            let answer = try await client.post("/v1/payment_intents", form)
            #expect(answer.status == status)
            if status == 402 { #expect(try answer.failure.code == "authentication_required") }
        }
    }

    private static func answer(_ page: String, _ key: String, yes: Bool) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: page)
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: "key=\(key)&answer=\(yes ? "yes" : "no")"))
        let configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let response = try await client.execute(request, timeout: .seconds(10))
            try await client.shutdown()
            return response
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}

extension JSONDecoder {
    fileprivate static var stripe: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
