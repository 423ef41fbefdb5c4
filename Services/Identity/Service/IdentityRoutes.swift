import Hummingbird
import ServiceKit

/// All routes of the service.
enum IdentityRoutes {
    static func add(_ parts: IdentityParts, to router: Router<SeraiRequestContext>) {
        router.add(middleware: IdentityReads.middleware(parts.pool))
        AccountRoutes(parts: parts).add(to: router)
        ContactRoutes(parts: parts).add(to: router)
        AvatarRoutes(parts: parts).add(to: router)
        PersonRoutes(parts: parts).add(to: router)
        PlaceRoutes(parts: parts).add(to: router)
        DocumentRoutes(parts: parts).add(to: router)
        DocumentDecisionRoutes(parts: parts).add(to: router)
        SessionRoutes(parts: parts).add(to: router)
        SecondFactorRoutes(parts: parts).add(to: router)
        ProviderRoutes(parts: parts).add(to: router)
        ConfirmationRoutes(parts: parts).add(to: router)
        PasswordRoutes(parts: parts).add(to: router)
        NafathRoutes(parts: parts).add(to: router)
        BanRoutes(parts: parts).add(to: router)
        DeletionRoutes(parts: parts).add(to: router)
        LinkRoutes(parts: parts).add(to: router)
        MarketLinkRoutes(parts: parts).add(to: router)
        PeopleRoutes(parts: parts).add(to: router)
        RoleOfferRoutes(parts: parts).add(to: router)
        ExportRoutes(parts: parts).add(to: router)
        AdminRoutes(parts: parts).add(to: router)
        KeyRoutes(ring: parts.tokens.ring, issuer: parts.tokens.issuer, baseURL: parts.webURL).add(to: router)
        router.addOpenAPI(service: IdentityService.name, document: PackageResources.openapi_yaml)
    }
}
