/// The address that somebody's bills go to (B4), as he or she typed it.
struct BillingAddress: Codable, Hashable, Sendable {
    static let maximumStreet = 200
    static let maximumCity = 100
    static let maximumPostcode = 20

    let street: String
    /// The suburb or city.
    let city: String
    let postcode: String
    /// ISO 3166-1, two capitals: `AU`.
    let country: String

    /// Nil for a text that is no code of two letters, which may be typed in small ones.
    static func country(_ text: String) -> String? {
        let code = text.uppercased()
        return code.utf8.count == 2 && code.utf8.allSatisfy { (65...90).contains($0) } ? code : nil
    }
}
