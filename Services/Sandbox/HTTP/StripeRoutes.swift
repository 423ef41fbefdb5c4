import Foundation
import Hummingbird

/// Routes of the payment provider's API, in Stripe's form.
struct StripeRoutes {
    let api: StripeAPI
    let key: String
    let publishableKey: String

    func add(to router: Router<SandboxContext>) {
        let open = router.group("v1")
        open.post("payment_methods") { try await performForApp(.createMethod, $0, $1) }
        open.post("tokens") { try await performForApp(.createToken, $0, $1) }
        let routes = router.group("v1").add(middleware: StripeAuthentication(key: key))
        routes.post("payment_methods/{id}") {
            try await perform(.updateMethod(try $1.parameters.require("id")), $0, $1)
        }
        routes.get("payment_methods/{id}") { request, context in
            let id = try context.parameters.require("id")
            return read(request, ProviderQuery.object) { _ in api.method(id) }
        }
        routes.post("payment_methods/{id}/attach") {
            try await perform(.attach(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("payment_methods/{id}/detach") {
            try await perform(.detach(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("customers") { try await perform(.createCustomer, $0, $1) }
        routes.delete("customers/{id}") { request, context in
            let id = try context.parameters.require("id")
            return read(request, ProviderQuery.object) { _ in api.deleteCustomer(id) }
        }
        routes.post("payment_intents") { try await perform(.createIntent, $0, $1) }
        routes.get("payment_intents/search") { request, _ in read(request, ProviderQuery.search, search) }
        routes.get("payment_intents/{id}") { request, context in
            let id = try context.parameters.require("id")
            return read(request, ProviderQuery.object) { _ in api.intent(id) }
        }
        routes.post("payment_intents/{id}/confirm") {
            try await perform(.confirm(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("payment_intents/{id}/capture") {
            try await perform(.capture(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("payment_intents/{id}/cancel") {
            try await perform(.cancel(try $1.parameters.require("id")), $0, $1)
        }
        routes.post("payouts") { try await perform(.createPayout, $0, $1) }
        routes.get("payouts") { request, _ in
            read(request, ProviderQuery.payouts) { query throws(StripeError) in
                api.payouts(
                    since: try query.integer("created[gte]") ?? 0, after: query["starting_after"],
                    limit: try query.integer("limit") ?? Self.pageLength)
            }
        }
        routes.get("payouts/{id}") { request, context in
            let id = try context.parameters.require("id")
            return read(request, ProviderQuery.object) { _ in api.payout(id) }
        }
        routes.post("refunds") { try await perform(.createRefund, $0, $1) }
        routes.get("refunds") { request, _ in
            read(request, ProviderQuery.refunds) { query throws(StripeError) in
                api.refunds(
                    of: query["payment_intent"], after: query["starting_after"],
                    limit: try query.integer("limit") ?? Self.pageLength)
            }
        }
    }

    private static let pageLength = 10

    /// Answers a request that has nothing but a query.
    private func read(
        _ request: Request, _ rules: ParameterRules, _ answer: (FormParameters) throws(StripeError) -> StripeAPI.Answer
    ) -> Response {
        do throws(StripeError) {
            let query = try FormParameters(urlEncoded: request.uri.query ?? "")
            try rules.check(query)
            return Response(stripe: try answer(query))
        } catch {
            return Response(stripe: StripeAPI.refusal(error))
        }
    }

    /// Supports one clause of Stripe's query language: `metadata['name']:'value'`.
    private func search(_ query: FormParameters) throws(StripeError) -> StripeAPI.Answer {
        guard let match = try query.required("query").wholeMatch(of: /metadata\['([^']+)'\]:'([^']+)'/) else {
            return StripeAPI.refusal(.invalid("The sandbox searches metadata only.", param: "query"))
        }
        return api.search(metadata: String(match.1), String(match.2))
    }

    /// Also for apps of customers, from pages of any origin: the publishable key comes as the field `key`, as Stripe's
    /// own script sends it, so that browsers ask no question before the request.
    private func performForApp(
        _ command: ProviderCommand, _ request: Request, _ context: SandboxContext
    ) async throws -> Response {
        var response = try await perform(command, request, context, isForApps: true)
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }

    private func perform(
        _ command: ProviderCommand, _ request: Request, _ context: SandboxContext, isForApps: Bool = false
    ) async throws -> Response {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        var form: FormParameters
        do throws(StripeError) {
            form = try FormParameters(urlEncoded: String(buffer: body))
        } catch {
            return Response(stripe: StripeAPI.refusal(error))
        }
        if isForApps {
            let shown = form.removeValue("key").map { "Bearer \($0)" } ?? request.headers[.authorization]
            // A browser names the version, too, where it may ask before it sends; it need not.
            if shown != "Bearer \(publishableKey)", let refusal = StripeAuthentication(key: key).refusal(of: request) {
                return Response(stripe: StripeAPI.refusal(refusal))
            }
        }
        let answer = api.perform(command, form, key: request.headers[.idempotencyKey])
        if answer.isLost { try await context.closeConnection() }
        return Response(stripe: answer)
    }
}

/// Refuses every request without the secret key, or for another version of the API.
struct StripeAuthentication: RouterMiddleware {
    typealias Context = SandboxContext

    let key: String

    /// Why the request is refused; nil if it is not.
    func refusal(of request: Request) -> StripeError? {
        guard request.headers[.authorization] == "Bearer \(key)" else { return .wrongKey }
        let version = request.headers[.stripeVersion]
        return version == StripeAPI.version ? nil : .wrongVersion(version)
    }

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let refusal = refusal(of: request) { return Response(stripe: StripeAPI.refusal(refusal)) }
        return try await next(request, context)
    }
}

extension Response {
    init(stripe answer: StripeAPI.Answer) {
        self.init(status: .init(code: answer.status), json: answer.json)
        headers[.stripeVersion] = StripeAPI.version
        if answer.isRepeated { headers[.idempotentReplayed] = "true" }
    }

    init(status: HTTPResponse.Status = .ok, json: Data) {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
