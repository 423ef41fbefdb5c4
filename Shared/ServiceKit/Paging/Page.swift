public import Hummingbird

/// A page of a list: `{"items": […], "next": "…"}`. The last page has no `next`. ``ListPage`` makes it from rows.
public struct Page<Item: Encodable & Sendable>: ResponseEncodable, Sendable {
    public let items: [Item]
    /// The cursor of the next page.
    public let next: String?

    public init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}
