import ServiceKit

/// Numbers as people and others write them. The rules are libphonenumber's (``PhoneNumber``).
extension MobileNumber {
    /// The country of Nafath, whose numbers come without its code, too.
    static let nafathCallingCode = "966"

    /// One to which an SMS can go.
    ///
    /// - Parameter callingCode: of the country that a number without `+` or `00` is of; nil refuses it.
    init?(_ raw: String, callingCode: String? = nil) {
        guard let number = PhoneNumber(mobile: raw, callingCode: callingCode) else { return nil }
        self.init(text: number.text, former: number.former)
    }

    /// One to look for: it was good when it was kept.
    init?(known raw: String) {
        guard let number = PhoneNumber(known: raw) else { return nil }
        self.init(text: number.text, former: number.former)
    }
}
