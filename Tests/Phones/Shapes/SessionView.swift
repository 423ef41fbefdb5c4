public import Foundation

/// Identity's answer to a sign-in.
public struct SessionView: Decodable, Sendable {
    public struct Role: Decodable, Sendable {
        public let market: String
        public let role: String
        public let title: String?
        public let verified: Bool?
    }

    public let account: UUID
    /// Holds the caller's rights: never print it.
    public let accessToken: String
    /// Good for one use: never print it.
    public let refreshToken: String
    public let expiresIn: Int
    public let roles: [Role]
}

/// Identity's answer to a registration.
public struct AccountView: Decodable, Sendable {
    public let account: UUID
    public let roles: [SessionView.Role]
}
