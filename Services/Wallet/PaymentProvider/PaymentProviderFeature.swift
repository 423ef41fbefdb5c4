import AsyncHTTPClient
import ServiceKit

extension Feature {
    static func paymentProvider(_ parts: WalletParts) -> Feature {
        Feature(
            "paymentProvider",
            components: [
                ServiceComponent(
                    "payment provider", stage: .database,
                    ClosingService { [client = parts.provider.client] in
                        // try?: the process ends; what the client still holds ends with it.
                        try? await client.shutdown()
                    })
            ]
        )
    }
}
