/// What a person gives to get an account, checked.
struct Registration: Sendable {
    let name: PersonName
    let email: EmailAddress
    let mobile: MobileNumber
    let gender: Account.Gender?
    let language: Account.Language
    var role: Role
    var intake = RoleIntake()
    /// The address, where one is given: the first saved place.
    var place: SavedPlace.Content?
}
