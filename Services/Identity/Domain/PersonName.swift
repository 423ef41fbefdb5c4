/// A person's name as others see it: a ``ShowableText`` of 1 to 100 characters.
struct PersonName: Hashable, Sendable {
    typealias Fault = ShowableText.Fault

    static let maximumCharacters = 100

    let text: String

    init(_ raw: String) throws(Fault) { text = try ShowableText(raw, maximum: Self.maximumCharacters).text }

    /// A name that was checked when it was stored.
    init(stored text: String) { self.text = text }
}
