import Hummingbird
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("The document of orders")
struct OrderDocumentTests {
    @Test("every route of orders is in the OpenAPI document, and the document knows no other")
    func routes() async throws {
        try await OrderWorld.with { world in
            let router = Router(context: SeraiRequestContext.self)
            OrderServer.routes(world).add(to: router)
            let routes = Set(router.routes.map { "\($0.method.rawValue) \($0.path)" })
            let document = try OpenAPIDocument(
                yaml: String(decoding: PackageResources.openapi_yaml, as: UTF8.self))
            #expect(document.faults == [])
            // Other features' routes under an order have their own tests.
            let others = ["/tracking", "/sharing", "/photo", "orders.csv"]
            #expect(
                document.operations.filter { operation in
                    operation.contains(" \(OrderServer.orders)") && !others.contains { operation.hasSuffix($0) }
                } == routes)
        }
    }

    @Test("the words for problems are there in every language, with the same placeholders")
    func words() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in DispatchService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        let refusals: [any ProblemConvertible] = [
            OrderRefusal.wrongState(.accepted), OrderRefusal.providerBusy(.requested), AcceptOrder.NotVerified(),
            RequestOrder.Refusal.marketClosed, CustomerRefusal.unknown,
            RequestOrder.Refusal.providerUnavailable, RateOrder.Refusal.alreadyRated,
        ]
        for refusal in refusals {
            let slug = refusal.problem.slug
            for part in ["title", "detail"] { #expect(catalogue.text("problem.\(slug).\(part)", in: .arabic) != nil) }
        }
        let withFields: [any ProblemConvertible] = [
            RequestOrder.Refusal.unknownServices(indices: [0]), RequestOrder.Refusal.notOffered(indices: [0]),
            RequestOrder.Refusal.totalTooLarge, RequestOrder.Refusal.ownProvider, RequestOrder.Refusal.outsideArea,
            RateOrder.Refusal.serviceStarsByProvider,
        ]
        for refusal in withFields {
            #expect(!refusal.problem.fields.isEmpty)
            for field in refusal.problem.fields { #expect(catalogue.keys(.arabic).contains("field.\(field.code)")) }
        }
        for code in ["unknown-market", "repeated-service"] {
            #expect(catalogue.keys(.english).contains("field.\(code)"))
        }
    }
}
