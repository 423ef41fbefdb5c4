import Contracts
import ServiceKit

/// The form of a registration.
struct RegistrationForm: Sendable {
    let registration: Registration
    let password: Redacted<String>

    /// - Parameters:
    ///   - role: nil reads the role from the form.
    ///   - language: that of a market's people, used when the form names none.
    ///   - languages: the languages that the form may name in a market.
    ///   - markets: the market with an id.
    ///   - rules: the rules for taking the role; nil asks for nothing beyond the role.
    /// - Throws: a 422 ``Problem`` with all errors.
    init(
        _ form: Form, role: Role? = nil, language: (_ market: String) -> Account.Language,
        languages: (_ market: String) -> Set<Account.Language> = { _ in [] },
        markets: (_ market: String) -> Market? = Market.named, rules: RoleRules? = nil
    ) throws(Problem) {
        let role = role ?? form.requestedRole(of: markets)
        let name = form.personName("name")
        let email = form.emailAddress("email")
        let mobile = form.mobileNumber("mobile")
        let password = form.newPassword("password")
        let gender = form.choice("gender", of: Account.Gender.self, required: false)
        let chosen = form.language("language", of: languages(role?.market ?? ""))
        var intake = RoleIntake()
        var place: SavedPlace.Content?
        var family: [FamilyWish] = []
        if let role, let rules {
            if role.kind == .customer, rules.onboarding(role.market).asksFamily {
                family = form.familyWishes(by: rules.confirmation(role.market).familyContact)
            }
            intake = form.intake(for: role, by: rules)
            place = form.firstPlace(for: role, by: rules)
        }
        guard let role, let name, let email, let mobile, let password, form.isValid else { throw form.problem }
        registration = Registration(
            name: name, email: email, mobile: mobile, gender: gender, language: chosen ?? language(role.market),
            role: intake.told(in: rules?.taken(role) ?? role), intake: intake, place: place, family: family)
        self.password = password
    }
}
