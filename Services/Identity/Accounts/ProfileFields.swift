import Contracts
import Foundation
import ServiceKit

/// Fields of forms about people, their roles and places. As in all of ``Form``, a field notes its error and parsing
/// goes on.
extension Form {
    /// A text that other people, or its owner, see.
    func showable(_ field: String, maximum: Int, lines: Bool = false, required: Bool = true) -> String? {
        guard let text = string(field, length: 1...maximum, lines: lines, required: required) else { return nil }
        do throws(ShowableText.Fault) {
            return try ShowableText(text, maximum: maximum, lines: lines).text
        } catch {
            switch error {
            case .empty: reject(field, "required")
            case .tooLong: reject(field, "too-long", ["maximum": String(maximum)])
            case .unshowable: reject(field, "unshowable")
            }
            return nil
        }
    }

    /// A day that is not in the future and at most 120 years ago.
    func pastDay(_ field: String, today: CalendarDate, required: Bool = true) -> CalendarDate? {
        guard let text = string(field, length: 1...40, required: required) else { return nil }
        guard let day = CalendarDate(TypedText.asciiDigits(text)) else {
            reject(field, "not-a-date")
            return nil
        }
        guard day <= today else {
            reject(field, "not-in-the-past")
            return nil
        }
        guard day.years(until: today) <= 120 else {
            reject(field, "too-long-ago", ["years": "120"])
            return nil
        }
        return day
    }

    /// A saved place inside the area that the market serves.
    func savedPlace(in area: ServiceArea?) -> SavedPlace.Content? {
        let label = choice("label", of: SavedPlace.Label.self)
        let name = showable("name", maximum: 60)
        let description = showable("description", maximum: 500, lines: true, required: false)
        let address = showable("address", maximum: 300, lines: true, required: false)
        guard let coordinates = coordinates("coordinates") else { return nil }
        if let area, !area.contains(latitude: coordinates.latitude, longitude: coordinates.longitude) {
            reject("coordinates", "outside-service-area")
        }
        let isFavourite = bool("favourite", required: false)
        guard let label, let name, isValid else { return nil }
        return SavedPlace.Content(
            label: label, name: name, description: description, address: address, latitude: coordinates.latitude,
            longitude: coordinates.longitude, isFavourite: isFavourite)
    }
}

extension Form {
    /// The owner's changes of the profile. Absent fields stay as they are.
    func profile(languages: Set<Account.Language>) -> ChangeAccount.Profile {
        var profile = ChangeAccount.Profile()
        profile.name = personName("name", required: false)
        profile.gender = choice("gender", of: Account.Gender.self, required: false)
        profile.language = language("language", of: languages)
        if let notices = object("notices", required: false) {
            profile.mail = notices.bool("mail", required: false)
            profile.sms = notices.bool("sms", required: false)
            profile.push = notices.bool("push", required: false)
        }
        return profile
    }

    /// Another date of birth, checked against the age limits of all roles of the account. Nil when it does not change.
    func birthDate(of profile: Profile?, by rules: RoleRules) -> CalendarDate? {
        let roles = profile?.account.roles ?? []
        let today = rules.today(in: roles.first?.market ?? "")
        guard let day = pastDay("birthDate", today: today, required: false), day != profile?.birthDate else {
            return nil
        }
        for role in roles {
            guard let fault = rules.ageFault(of: day, for: role, hasAdult: profile?.adults[role.market] != nil) else {
                continue
            }
            reject("birthDate", fault.code, fault.arguments)
        }
        return day
    }
}

/// A date of birth that the age limits of a role refuse.
struct AgeFault: Error, Equatable, ProblemConvertible {
    let code: String
    let minimum: Int

    var arguments: [String: String] { ["minimum": String(minimum)] }
    var problem: Problem { .invalidFields([FieldProblem("birthDate", code, arguments)]) }
}

extension RoleRules {
    /// - Parameter hasAdult: whether the account names an accompanying adult in the role's market.
    func ageFault(of day: CalendarDate, for role: Role, hasAdult: Bool) -> AgeFault? {
        let onboarding = self.onboarding(role.market)
        let ages = role.kind == .customer ? onboarding.customerAges : nil
        let age = day.years(until: today(in: role.market))
        if let least = ages?.minimum ?? role.title.flatMap({ onboarding.providerAges[$0] }), age < least {
            return AgeFault(code: "too-young", minimum: least)
        }
        // By this date the customer is a minor, and the account names no accompanying adult.
        guard let ages, age < ages.adultBelow, !hasAdult else { return nil }
        return AgeFault(code: "adult-needed", minimum: ages.adultBelow)
    }

    /// Checks a new date of birth against all roles of the account.
    ///
    /// - Throws: ``AgeFault``.
    func checkAges(of day: CalendarDate, _ profile: Profile) throws(AgeFault) {
        for role in profile.account.roles {
            if let fault = ageFault(of: day, for: role, hasAdult: profile.adults[role.market] != nil) { throw fault }
        }
    }

    /// Checks the known date of birth of a person who is given a role. An unknown one is
    /// not refused: the admin answers for it.
    ///
    /// - Throws: ``AgeFault``.
    func checkAge(of profile: Profile, for role: Role) throws(AgeFault) {
        guard let day = profile.birthDate else { return }
        if let fault = ageFault(of: day, for: role, hasAdult: profile.adults[role.market] != nil) { throw fault }
    }
}

/// The rules of markets for taking a role, at one moment.
struct RoleRules: Sendable {
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding
    let confirmation: @Sendable (_ market: String) -> Market.Confirmation
    let area: @Sendable (_ market: Market) -> ServiceArea
    let zone: @Sendable (_ market: String) -> TimeZone
    let now: Date

    /// The role as it starts when a person takes it: where only the account's confirmation is required, a provider is
    /// verified at once.
    func taken(_ role: Role) -> Role {
        guard role.kind == .provider, onboarding(role.market).providerCheck == .confirmation else { return role }
        var role = role
        role.state = .verified
        return role
    }

    /// The role as it starts when an admin gives it. Where the market asks for papers, details or an age, the admin's
    /// decision does not replace them: the provider has to bring them and waits.
    func given(_ role: Role) -> Role {
        let onboarding = self.onboarding(role.market)
        guard role.kind == .provider, let title = role.title, !onboarding.asksPapers(of: title),
            onboarding.providerAges[title] == nil
        else { return role }
        var role = role
        role.state = .verified
        return role
    }

    /// The current day in the market's zone.
    func today(in market: String) -> CalendarDate { CalendarDate(of: now, in: zone(market)) }
}

extension Form {
    /// The data that a person brings with a role: terms, date of birth, an accompanying adult, details. All missing or
    /// wrong fields are noted together.
    ///
    /// - Parameters:
    ///   - known: the date of birth that the account already has; it is not asked for again.
    ///   - accepted: the version of the market's terms that the account has accepted before.
    ///   - hasBilling: whether the account has a billing address in the market, which is then not asked for again.
    ///   - isOffered: whether an admin offers the role.
    func intake(
        for role: Role, by rules: RoleRules, birthDate known: CalendarDate? = nil, terms accepted: String? = nil,
        hasBilling: Bool = false, isOffered: Bool = false
    ) -> RoleIntake {
        let onboarding = rules.onboarding(role.market)
        let today = rules.today(in: role.market)
        var intake = RoleIntake()
        if let terms = onboarding.terms?.version, terms != accepted, let accepted = string("terms", length: 1...40) {
            if accepted != terms { reject("terms", "terms-version", ["version": terms]) }
            intake.terms = terms
        }
        let ages = role.kind == .customer ? onboarding.customerAges : nil
        let least = ages?.minimum ?? role.title.flatMap { onboarding.providerAges[$0] }
        if known == nil { intake.birthDate = pastDay("birthDate", today: today, required: least != nil) }
        if let least, let born = known ?? intake.birthDate {
            let age = born.years(until: today)
            if age < least {
                reject("birthDate", "too-young", ["minimum": String(least)])
            } else if let ages, age < ages.adultBelow {
                intake.details[RoleIntake.adult] = personName(RoleIntake.adult)?.text
            }
        }
        if onboarding.asksBillingAddress(of: role) {
            let form = hasBilling ? object("billingAddress", required: false) : group("billingAddress")
            intake.billing = form?.billingAddress()
        }
        if role.kind == .provider, onboarding.providerCheck == .invitation, !isOffered {
            reject("role", "by-invitation")
        }
        if role.kind == .provider, let title = role.title {
            intake.details.merge(details(onboarding.details(of: title), today: today)) { $1 }
        }
        return intake
    }

    /// The data that a person brings with an offered role: the same as for a role that one takes oneself, except what the
    /// account has already.
    ///
    /// - Throws: a 422 ``Problem`` with all missing and wrong fields.
    func brought(for role: Role, of profile: Profile, by rules: RoleRules) throws(Problem) -> BroughtWithRole {
        let current = rules.onboarding(role.market).terms?.version
        let accepted = profile.terms.first { $0.market == role.market && $0.version == current }?.version
        let intake = intake(
            for: role, by: rules, birthDate: profile.birthDate, terms: accepted,
            hasBilling: profile.billedMarkets.contains(role.market), isOffered: true)
        let place = firstPlace(for: role, by: rules)
        try finish()
        return BroughtWithRole(intake: intake, place: place)
    }

    /// The optional date of birth that an admin writes for a person with a role, checked against the role's age limits.
    func birthDate(for role: Role, by rules: RoleRules) -> CalendarDate? {
        let onboarding = rules.onboarding(role.market)
        let today = rules.today(in: role.market)
        guard let day = pastDay("birthDate", today: today, required: false) else { return nil }
        let ages = role.kind == .customer ? onboarding.customerAges : nil
        let age = day.years(until: today)
        if let least = ages?.minimum ?? role.title.flatMap({ onboarding.providerAges[$0] }), age < least {
            reject("birthDate", "too-young", ["minimum": String(least)])
        } else if let ages, age < ages.adultBelow {
            // An admin cannot name the accompanying adult: a minor has to register by himself or herself.
            reject("birthDate", "adult-needed", ["minimum": String(ages.adultBelow)])
        }
        return day
    }

    /// A customer's first saved place: required where the market asks for an address, optional elsewhere.
    func firstPlace(for role: Role, by rules: RoleRules) -> SavedPlace.Content? {
        let isAsked = role.kind == .customer && rules.onboarding(role.market).asksAddress
        return object("address", required: isAsked)?.savedPlace(in: Market.named(role.market).map(rules.area))
    }

    /// A provider's details, from the form's group `details`.
    func details(_ asked: [Market.Onboarding.Detail], today: CalendarDate) -> [String: String] {
        guard !asked.isEmpty, let group = group("details") else { return [:] }
        return asked.reduce(into: [:]) { values, detail in values[detail.id] = group.detail(detail, today: today) }
    }

    private func detail(_ detail: Market.Onboarding.Detail, today: CalendarDate) -> String? {
        let (id, isRequired) = (detail.id, detail.isRequired)
        switch detail.kind {
        case .text(let maximum): return showable(id, maximum: maximum, required: isRequired)
        case .person: return personName(id, required: isRequired)?.text
        case .email: return emailAddress(id, required: isRequired)?.text
        case .mobile:
            guard let text = string(id, length: 1...40, required: isRequired) else { return nil }
            guard let number = MobileNumber(text) else {
                reject(id, "not-a-phone-number")
                return nil
            }
            return number.text
        case .year(let range): return integer(id, in: range, required: isRequired).map(String.init)
        case .since(let years):
            guard let day = pastDay(id, today: today, required: isRequired) else { return nil }
            if day.years(until: today) < years { reject(id, "held-too-short", ["years": String(years)]) }
            return day.text
        case .choice(let choices):
            guard let text = string(id, length: 1...100, required: isRequired) else { return nil }
            if !choices.contains(where: { $0.id == text }) {
                reject(id, "not-a-choice", ["choices": choices.map(\.id).joined(separator: ", ")])
            }
            return text
        }
    }
}
