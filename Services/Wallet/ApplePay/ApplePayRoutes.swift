import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// Serves browsers that are about to show Apple Pay's sheet.
struct ApplePayRoutes {
    let merchant: ApplePayMerchant?

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("apple-pay/sessions", use: begin)
    }

    /// Moves no money and changes nothing, so each request has an answer of its own. 404 where the deployment is no merchant.
    @Sendable private func begin(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        guard let merchant else { throw Problem.notFound }
        let form = try await request.form(context: context)
        let market = MarketForm.market(form)
        let url = form.string("validationURL", length: 1...300)
        guard let market, let url, form.isValid else { throw form.problem }
        do {
            let session = try await merchant.session(at: url, name: market.name.text(in: context.language.rawValue))
            return Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: session)))
        } catch is ApplePayMerchant.NoGateway {
            form.reject("validationURL", "invalid-value")
            throw form.problem
        }
    }
}
