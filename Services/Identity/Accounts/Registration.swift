/// The checked data of a registration.
struct Registration: Sendable {
    let name: PersonName
    let email: EmailAddress
    let mobile: MobileNumber
    let gender: Account.Gender?
    let language: Account.Language
    var role: Role
    var intake = RoleIntake()
    /// The customer's first saved place, where an address was given.
    var place: SavedPlace.Content?
    /// The relatives with whom the customer is to be linked.
    var family: [FamilyWish] = []
}
