/// Where a person's picture is served (I6).
public enum AvatarPath {
    /// The path of the picture, or of the market's logo where there is none.
    ///
    /// - Parameter name: ``AccountSnapshot/avatar``.
    public static func path(of name: String?, in market: String) -> String {
        name.map { "/identity/v1/avatars/\($0)" } ?? "/identity/v1/markets/\(market)/logo"
    }
}
