/// What an admin changes of somebody; nil stays.
struct PersonChange: Hashable, Sendable {
    let name: PersonName?
    let gender: Account.Gender?
    let language: Account.Language?
    /// A provider's profession in the admin's market.
    let title: String?

    /// Whether it is about more than the admin's market.
    var isOfPerson: Bool { name != nil || gender != nil || language != nil }
}
