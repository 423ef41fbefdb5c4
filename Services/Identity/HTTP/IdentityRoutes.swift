import Hummingbird
import ServiceKit

/// All routes of the service.
enum IdentityRoutes {
    static func add(_ parts: IdentityParts, to router: Router<SeraiRequestContext>) {
        AccountRoutes(parts: parts).add(to: router)
        SessionRoutes(parts: parts).add(to: router)
        ProviderRoutes(parts: parts).add(to: router)
        ConfirmationRoutes(parts: parts).add(to: router)
        PasswordRoutes(parts: parts).add(to: router)
        NafathRoutes(parts: parts).add(to: router)
        BanRoutes(parts: parts).add(to: router)
        AdminRoutes(parts: parts).add(to: router)
        KeyRoutes(ring: parts.tokens.ring).add(to: router)
        router.addOpenAPI(service: IdentityService.name, document: PackageResources.openapi_yaml)
    }
}
