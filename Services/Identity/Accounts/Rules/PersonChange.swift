/// An admin's changes of a person; nil leaves a part as it is.
struct PersonChange: Hashable, Sendable {
    let name: PersonName?
    let gender: Account.Gender?
    let language: Account.Language?
    /// A provider's profession in the admin's market.
    let title: String?

    /// Whether the change affects other markets too, not only the admin's.
    var isOfPerson: Bool { name != nil || gender != nil || language != nil }
}
