import AsyncHTTPClient
import ServiceKit

extension Feature {
    static func applePay(_ parts: WalletParts) -> Feature {
        Feature(
            "applePay",
            routes: {
                ApplePayRoutes(merchant: parts.applePay).add(to: $0.signedIn)
            },
            components: parts.applePay.map { merchant in
                [
                    ServiceComponent(
                        "apple pay", stage: .database,
                        ClosingService { [client = merchant.client] in
                            // try?: the process ends; what the client still holds ends with it.
                            try? await client.shutdown()
                        })
                ]
            } ?? [])
    }
}
