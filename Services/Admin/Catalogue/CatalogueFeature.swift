import Hummingbird
import ServiceKit

extension Feature {
    static func catalogue(_ routes: AdminRoutes) -> Feature {
        Feature(
            "catalogue",
            routes: {
                $0.signedIn.get("markets/{market}/catalogue/{section}", use: routes.catalogue)
                $0.signedIn.post("markets/{market}/catalogue/{section}", use: routes.addEntry)
                $0.signedIn.put("markets/{market}/catalogue/{section}/{id}", use: routes.changeEntry)
                $0.signedIn.post("markets/{market}/catalogue/{section}/{id}/retire", use: routes.retireEntry)
                $0.signedIn.post("markets/{market}/catalogue/{section}/{id}/restore", use: routes.restoreEntry)
                $0.signedIn.put("markets/{market}/catalogue/{section}/{id}/place", use: routes.moveEntry)
                $0.signedIn.put("markets/{market}/catalogue/{section}/{id}/image", use: routes.setImage)
                $0.signedIn.delete("markets/{market}/catalogue/{section}/{id}/image", use: routes.removeImage)
                $0.router.get("admin/v1/markets/{market}/images/{name}", use: routes.image)
            },
            uploads: [AdminRoutes.catalogueImage: CatalogueImage.maximumBytes])
    }
}
