import Hummingbird
import Messaging
import ServiceKit

extension Feature {
    static func content(_ routes: AdminRoutes) -> Feature {
        Feature(
            "content",
            routes: {
                let path: RouterPath = "markets/{market}/content/{section}"
                $0.signedIn.get(path, use: routes.content)
                $0.signedIn.post(path, use: routes.addContent)
                $0.signedIn.put("markets/{market}/content/{section}/{id}", use: routes.changeContent)
                $0.signedIn.delete("markets/{market}/content/{section}/{id}", use: routes.deleteContent)
                $0.signedIn.get("markets/{market}/content/{section}/{id}/versions", use: routes.contentVersions)
                $0.signedIn.post(
                    "markets/{market}/content/{section}/{id}/versions/{version}/restore", use: routes.restoreContent)
                $0.signedIn.post("markets/{market}/content/{section}/{id}/publish", use: routes.publishContent)
                $0.signedIn.post("markets/{market}/content/{section}/{id}/withdraw", use: routes.withdrawContent)
                $0.signedIn.put("markets/{market}/content/{section}/{id}/place", use: routes.moveContent)
                $0.signedIn.put("markets/{market}/content/{section}/{id}/image", use: routes.pictureContent)
                $0.signedIn.delete("markets/{market}/content/{section}/{id}/image", use: routes.unpictureContent)
                $0.router.get("admin/v1/markets/{market}/pages/{section}", use: routes.publishedContent)
            },
            deadlines: [
                TellTerms.deadline: { deadline, transaction in
                    try await TellTerms.tell(deadline.subject, at: deadline.now(by: routes.clock), in: transaction)
                }
            ],
            working: routes.seedsContent
                ? [
                    ServiceComponent(
                        "content seeds", stage: .background,
                        SeedContent(pool: routes.pool, clock: routes.clock, logger: routes.logger))
                ] : [],
            uploads: ["/admin/v1/markets/{market}/content/{section}/{id}/image": CatalogueImage.maximumBytes])
    }
}
