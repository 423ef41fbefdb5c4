public import Foundation

/// The data of a person that other services have: enough to name and address the person in the platform, without
/// contact data.
///
/// Readers keep the newest `version` and ignore older ones, so the order of delivery does not matter.
public struct AccountSnapshot: Codable, Hashable, Sendable {
    public enum Gender: String, Codable, Sendable { case female, male }

    public struct Role: Codable, Hashable, Sendable {
        /// The market's id, or `*` for all markets.
        public var market: String
        /// `customer`, `provider`, `admin`, `support`.
        public var role: String
        /// The id of a provider's title in the market, such as `nurse`.
        public var title: String?
        /// Whether the market's check of the provider is done. True for roles without a check.
        public var verified: Bool
        /// The class of a driver's vehicle: `regular`, `xl`. Nil for none.
        public var vehicle: String?
        /// The car that a rider looks for at the kerb. Nil for none, and in older events.
        public var car: Car?

        public init(market: String, role: String, title: String? = nil, verified: Bool, vehicle: String? = nil) {
            self.market = market
            self.role = role
            self.title = title
            self.verified = verified
            self.vehicle = vehicle
        }
    }

    /// A driver's car, as it is recognized.
    public struct Car: Codable, Hashable, Sendable {
        public var plate: String
        public var maker: String?
        public var model: String?
        /// An id of ``VehicleColour``.
        public var colour: String?

        public init(plate: String, maker: String? = nil, model: String? = nil, colour: String? = nil) {
            self.plate = plate
            self.maker = maker
            self.model = model
            self.colour = colour
        }
    }

    public var account: UUID
    /// Grows with each change of the account.
    public var version: Int
    public var name: String
    public var gender: Gender?
    /// The language of texts to this account: `en`, `ar`.
    public var language: String
    public var roles: [Role]
    /// The picture's name in `/identity/v1/avatars/…`. Nil without a picture.
    public var avatar: String?
    /// The channels (`mail`, `sms`, `push`) that the account has switched off for optional notices. Nil for none.
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
