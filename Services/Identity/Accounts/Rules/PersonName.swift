/// A person's name as others see it: a ``ShowableText`` of 1 to 100 characters.
struct PersonName: Hashable, Sendable {
    typealias Fault = ShowableText.Fault

    static let maximumCharacters = 100

    let text: String

    /// Refuses names without a visible letter: signs and figures alone are no name.
    init(_ raw: String) throws(Fault) {
        text = try ShowableText(raw, maximum: Self.maximumCharacters).text
        guard text.unicodeScalars.contains(where: { $0.properties.isAlphabetic && ShowableText.isVisible($0) }) else {
            throw .unshowable
        }
    }

    /// A name from the database, checked when it was stored.
    init(stored text: String) { self.text = text }
}
