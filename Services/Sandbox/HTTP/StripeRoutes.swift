import Foundation
import Hummingbird

/// Routes of the payment provider's API, in Stripe's form.
struct StripeRoutes {
    let api: StripeAPI
    let key: String

    func add(to router: Router<SandboxContext>) {
        let routes = router.group("v1").add(middleware: StripeAuthentication(key: key))
        routes.post("payment_methods") { try await perform(.createMethod, $0, $1) }
        routes.post("payment_methods/:id") { try await perform(.updateMethod(try $1.parameters.require("id")), $0, $1) }
        routes.get("payment_methods/:id") { _, context in
            Response(stripe: api.method(try context.parameters.require("id")))
        }
        routes.post("payment_methods/:id/attach") {
            try await perform(.attach(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("payment_methods/:id/detach") {
            try await perform(.detach(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("customers") { try await perform(.createCustomer, $0, $1) }
        routes.delete("customers/:id") { _, context in
            Response(stripe: api.deleteCustomer(try context.parameters.require("id")))
        }
        routes.post("tokens") { try await perform(.createToken, $0, $1) }
        routes.post("payment_intents") { try await perform(.createIntent, $0, $1) }
        routes.get("payment_intents/search") { request, _ in Response(stripe: search(request)) }
        routes.get("payment_intents/:id") { _, context in
            Response(stripe: api.intent(try context.parameters.require("id")))
        }
        routes.post("payment_intents/:id/confirm") {
            try await perform(.confirm(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("payment_intents/:id/capture") {
            try await perform(.capture(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("payment_intents/:id/cancel") {
            try await perform(.cancel(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("payouts") { try await perform(.createPayout, $0, $1) }
        routes.get("payouts") { request, _ in
            let query = request.uri.queryParameters
            return Response(
                stripe: api.payouts(
                    since: query["created[gte]"].flatMap { Int($0) } ?? 0,
                    after: query["starting_after"].map(String.init), limit: Self.limit(request)))
        }
        routes.get("payouts/:id") { _, context in
            Response(stripe: api.payout(try context.parameters.require("id")))
        }
        routes.post("refunds") { try await perform(.createRefund, $0, $1) }
        routes.get("refunds") { request, _ in
            let query = request.uri.queryParameters
            return Response(
                stripe: api.refunds(
                    of: query["payment_intent"].map(String.init) ?? "", after: query["starting_after"].map(String.init),
                    limit: Self.limit(request)))
        }
    }

    private static func limit(_ request: Request) -> Int {
        min(max(request.uri.queryParameters["limit"].flatMap { Int($0) } ?? 10, 1), 100)
    }

    /// Supports one clause of Stripe's query language: `metadata['name']:'value'`.
    private func search(_ request: Request) -> StripeAPI.Answer {
        let query = request.uri.queryParameters["query"].map(String.init) ?? ""
        guard let match = query.wholeMatch(of: /metadata\['([^']+)'\]:'([^']+)'/) else {
            return StripeAPI.refusal(.invalid("The sandbox searches metadata only.", param: "query"))
        }
        return api.search(metadata: String(match.1), String(match.2))
    }

    private func perform(
        _ command: ProviderCommand, _ request: Request, _ context: SandboxContext
    ) async throws -> Response {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        let form: FormParameters
        do throws(StripeError) {
            form = try FormParameters(urlEncoded: String(buffer: body))
        } catch {
            return Response(stripe: StripeAPI.refusal(error))
        }
        let answer = api.perform(command, form, key: request.headers[.idempotencyKey])
        if answer.isLost { try await context.closeConnection() }
        return Response(stripe: answer)
    }
}

/// Refuses every request without the secret key.
struct StripeAuthentication: RouterMiddleware {
    typealias Context = SandboxContext

    let key: String

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.authorization] == "Bearer \(key)" else {
            return Response(stripe: StripeAPI.refusal(.wrongKey))
        }
        return try await next(request, context)
    }
}

extension Response {
    init(stripe answer: StripeAPI.Answer) {
        self.init(status: .init(code: answer.status), json: answer.json)
        if answer.isRepeated { headers[.idempotentReplayed] = "true" }
    }

    init(status: HTTPResponse.Status = .ok, json: Data) {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
