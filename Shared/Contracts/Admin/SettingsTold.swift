public import Messaging

/// Republishes the current values of all settings of a market that its admins have ever changed.
public struct SettingsTold: Message {
    public static let name: MessageName = "admin.settings.told.v1"

    /// A setting, with the fields of ``SettingChanged``.
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
    /// The version of the market's settings: no other key had been changed at this version.
    public var version: Int
    public var settings: [Setting]
    public var aggregate: String { "settings \(market)" }

    public init(market: String, version: Int, settings: [Setting]) {
        self.market = market
        self.version = version
        self.settings = settings
    }
}
