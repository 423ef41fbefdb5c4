import Foundation
import Hummingbird

/// `/routing/route/v1/{profile}/{places}`: a routing engine in OSRM's form. It plays `route` alone; `table` is not asked of it, so
/// that travel times stay estimates.
struct RoutingRoutes {
    private struct Refusal: Encodable {
        let code: String
        let message: String
    }

    func add(to router: Router<SandboxContext>) {
        router.get("routing/route/v1/{profile}/{places}") { _, context in
            let text = context.parameters.get("places") ?? ""
            guard let (from, to) = SandboxWay.places(in: text.removingPercentEncoding ?? text) else {
                let refusal = Refusal(code: "InvalidQuery", message: "Two coordinates are wanted")
                return Response(status: .badRequest, json: try JSONEncoder().encode(refusal))
            }
            let isWalking = context.parameters.get("profile") == "foot"
            return Response(
                json: try JSONEncoder().encode(SandboxWay.told(from: from, to: to, isWalking: isWalking)))
        }
    }
}
