public import Foundation
public import Messaging

/// Republishes the current confirmed links between people in the order of their ids.
public struct LinksTold: Message {
    public static let name: MessageName = "identity.links.told.v1"

    public struct Link: Codable, Hashable, Sendable {
        public var link: UUID
        /// The market of a family; nil for friends.
        public var market: String?
        public var from: UUID
        public var to: UUID
        public var scopes: [String]
        /// Of friends, for their conversation; nil for a family, and in messages from before names stood here.
        public var fromName: String?
        public var toName: String?

        public init(
            link: UUID, market: String?, from: UUID, to: UUID, scopes: [String], fromName: String? = nil,
            toName: String? = nil
        ) {
            self.link = link
            self.market = market
            self.from = from
            self.to = to
            self.scopes = scopes
            self.fromName = fromName
            self.toName = toName
        }
    }

    public var range: ToldRange
    public var links: [Link]
    public var aggregate: String { "links \(range.after?.text ?? "")" }

    public init(range: ToldRange, links: [Link]) {
        self.range = range
        self.links = links
    }
}
