public import Foundation

/// What other services know of a person: enough to name and address them, nothing to reach them outside.
///
/// Readers keep the newest `version` and ignore older ones, so the order of delivery does not matter.
public struct AccountSnapshot: Codable, Hashable, Sendable {
    public enum Gender: String, Codable, Sendable { case female, male }

    public struct Role: Codable, Hashable, Sendable {
        /// The market's id, or `*` for all of them.
        public var market: String
        /// `customer`, `provider`, `admin`.
        public var role: String
        /// A provider's title by its id in the market, such as `nurse`.
        public var title: String?
        /// Whether the market's check of the provider's papers is done. True for roles that need none.
        public var verified: Bool
        /// The class of what a driver drives: `regular`, `xl`. Nil where there is none.
        public var vehicle: String?

        public init(market: String, role: String, title: String? = nil, verified: Bool, vehicle: String? = nil) {
            self.market = market
            self.role = role
            self.title = title
            self.verified = verified
            self.vehicle = vehicle
        }
    }

    public var account: UUID
    /// Grows with each change of the account.
    public var version: Int
    public var name: String
    public var gender: Gender?
    /// The language that texts to this account are written in: `en`, `ar`.
    public var language: String
    public var roles: [Role]
    /// What the picture is got by, at `/identity/v1/avatars/…`. Nil where there is none.
    public var avatar: String?
    /// Of `mail`, `sms`, `push`: where the account wants to hear nothing that need not be sent. Nil where there is none.
    public var muted: [String]?

    public init(
        account: UUID, version: Int, name: String, gender: Gender?, language: String, roles: [Role],
        avatar: String? = nil, muted: [String]? = nil
    ) {
        self.account = account
        self.version = version
        self.name = name
        self.gender = gender
        self.language = language
        self.roles = roles
        self.avatar = avatar
        self.muted = muted
    }
}
