extension Phone {
    /// The whole inbox, page by page.
    public func inbox(pageLimit: Int = 200) async throws -> [InboxItem] {
        var items: [InboxItem] = []
        var cursor: String?
        for _ in 0..<pageLimit {
            let page: Items<InboxItem> = try await send(
                .get("/notifications/v1/inbox", query: [("cursor", cursor)])
            ).decode()
            items += page.items
            guard let next = page.next else { break }
            cursor = next
        }
        return items
    }

    public func unreadCount() async throws -> Int {
        try await send(.get("/notifications/v1/inbox/unread")).decode(UnreadView.self).count
    }
}
