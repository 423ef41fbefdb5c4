import ServiceKit

extension Feature {
    static func inbox(_ parts: NotificationsParts) -> Feature {
        let base = parts.base
        return Feature(
            "inbox",
            routes: {
                InboxRoutes(
                    pool: base.pool, list: ListInbox(pool: base.pool, texts: parts.texts, sealer: base.cursors),
                    idempotency: base.idempotency
                ).add(to: $0.signedIn)
            })
    }
}
