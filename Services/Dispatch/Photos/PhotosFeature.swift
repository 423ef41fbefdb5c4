import ServiceKit

extension Feature {
    static func photos(_ parts: DispatchParts) -> Feature {
        Feature(
            "photos",
            routes: {
                PhotoRoutes(orders: parts.orderRoutes, metrics: parts.base.bootstrap.registry).add(to: $0.router)
            },
            uploads: [PhotoRoutes.path: UploadPhoto.maximumBytes])
    }
}
