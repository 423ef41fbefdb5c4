public import Foundation
public import Messaging

/// An admin changed a setting of a market. Readers keep the newest `version` of each key.
public struct SettingChanged: Message {
    public static let name: MessageName = "admin.setting.changed.v1"
    public var market: String
    /// A ``MarketSettings/Key``.
    public var key: String
    /// The value in the form of ``MarketSettings/set(_:to:)``.
    public var value: String
    /// Grows with each change of the market's settings.
    public var version: Int
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { market }

    public init(market: String, key: String, value: String, version: Int, by: UUID, at: Date) {
        self.market = market
        self.key = key
        self.value = value
        self.version = version
        self.by = by
        self.at = at
    }
}
