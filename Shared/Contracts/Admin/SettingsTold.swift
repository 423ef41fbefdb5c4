public import Messaging

/// The settings of a market that its admins have ever changed, as they stand, told again.
public struct SettingsTold: Message {
    public static let name: MessageName = "admin.settings.told.v1"

    /// As ``SettingChanged``.
    public struct Setting: Codable, Hashable, Sendable {
        public var key: String
        public var value: String
        public var version: Int

        public init(key: String, value: String, version: Int) {
            self.key = key
            self.value = value
            self.version = version
        }
    }

    public var market: String
    /// The market's: no other key was changed by then.
    public var version: Int
    public var settings: [Setting]
    public var aggregate: String { "settings \(market)" }

    public init(market: String, version: Int, settings: [Setting]) {
        self.market = market
        self.version = version
        self.settings = settings
    }
}
