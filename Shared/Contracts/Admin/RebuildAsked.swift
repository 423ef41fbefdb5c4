public import Foundation
public import Messaging

/// Admin takes what it keeps of other services' rows for old: their owners tell them again.
public struct RebuildAsked: Message {
    public static let name: MessageName = "admin.rebuild.asked.v1"
    public var rebuild: UUID
    /// `people`, `orders`, `payments`.
    public var parts: [String]
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { rebuild.text }

    public init(rebuild: UUID, parts: [String], by: UUID, at: Date) {
        self.rebuild = rebuild
        self.parts = parts
        self.by = by
        self.at = at
    }
}
