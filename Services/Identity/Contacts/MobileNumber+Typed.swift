import ServiceKit

/// Parses numbers as people and other systems write them, by the rules of libphonenumber (``PhoneNumber``).
extension MobileNumber {
    /// The calling code for Nafath's numbers, which may come without one.
    static let nafathCallingCode = "966"

    /// A number to which an SMS can be sent.
    ///
    /// - Parameter callingCode: the calling code for a number without `+` or `00`; nil refuses such numbers.
    init?(_ raw: String, callingCode: String? = nil) {
        guard let number = PhoneNumber(mobile: raw, callingCode: callingCode) else { return nil }
        self.init(text: number.text, former: number.former)
    }

    /// A number to look up. It was valid when it was stored.
    init?(known raw: String) {
        guard let number = PhoneNumber(known: raw) else { return nil }
        self.init(text: number.text, former: number.former)
    }
}
