import Foundation
import ServiceKit

extension Feature {
    static func keys(_ parts: IdentityParts) throws -> Feature {
        let configuration = parts.base.bootstrap.configuration
        let reload = SigningKeyReload(
            ring: parts.tokens.ring,
            signingFile: URL(fileURLWithPath: try configuration[IdentityConfiguration.signingKeyFile]),
            published: { try IdentityConfiguration.keySet(configuration) }, logger: parts.base.bootstrap.logger)
        return Feature(
            "keys",
            routes: {
                KeyRoutes(ring: parts.tokens.ring, issuer: parts.tokens.issuer, baseURL: parts.webURL)
                    .add(to: $0.router)
            },
            components: [ServiceComponent("signing keys", stage: .background, reload)])
    }
}
