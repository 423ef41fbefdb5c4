import Contracts
import Hummingbird
import LiveMarkets
import ServiceKit

/// The public route for what a market asks of people who register (I1), and the owner's answer to new terms (X8).
struct RegistrationRulesRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.get("identity/v1/markets/{market}/registration", use: read)
        router.group("identity/v1/accounts/me", context: AuthenticatedContext.self)
            .post("terms", use: accept)
    }

    private func read(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        guard let market = parts.markets.named(context.parameters.get("market") ?? "") else { throw Problem.notFound }
        let languages = parts.languages(of: market.id)
        context.prefer(languages.first)
        let view = RegistrationRulesView(
            market, parts.onboarding(market.id), confirmation: parts.confirmation(market.id), signIn: parts.signIn,
            languages: languages.map(\.rawValue), in: context.language)
        return try Response.cached(view, language: context.language)
    }

    private func accept(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let market = form.string("market", length: 1...100)
        let version = form.string("version", length: 1...40)
        guard let market, let version, form.isValid else { throw form.problem }
        let id = context.caller.accountID
        return try await parts.idempotency.answer(once) { transaction in
            try await AcceptTerms(onboarding: parts.onboarding)(
                version, in: market, by: id, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }
}

/// All that a form for registration needs, with words in the reader's language.
struct RegistrationRulesView: Encodable, Sendable {
    struct Way: Encodable, Sendable {
        /// `password` or `nafath`.
        let way: String
        let open: Bool
    }

    struct Terms: Encodable, Sendable {
        let version: String
        let text: String
    }

    struct Ages: Encodable, Sendable {
        let minimum: Int
        /// Below this age a customer names an adult who comes along.
        let adultBelow: Int?
    }

    struct Choice: Encodable, Sendable {
        let id: String
        let name: String
    }

    struct Detail: Encodable, Sendable {
        let id: String
        let name: String
        /// `text`, `person`, `mobile`, `email`, `year`, `since` or `choice`.
        let kind: String
        let required: Bool
        /// The most characters of a text.
        var maximum: Int?
        /// The first and the last year.
        var from: Int?
        var to: Int?
        /// A day at least so many years ago.
        var years: Int?
        var choices: [Choice]?

        init(_ detail: Market.Onboarding.Detail, in language: String) {
            id = detail.id
            name = detail.name.text(in: language)
            required = detail.isRequired
            switch detail.kind {
            case .text(let maximum): (kind, self.maximum) = ("text", maximum)
            case .person: (kind, self.maximum) = ("person", PersonName.maximumCharacters)
            case .mobile: kind = "mobile"
            case .email: kind = "email"
            case .year(let range): (kind, from, to) = ("year", range.lowerBound, range.upperBound)
            case .since(let years): (kind, self.years) = ("since", years)
            case .choice(let choices):
                kind = "choice"
                self.choices = choices.map { Choice(id: $0.id, name: $0.name.text(in: language)) }
            }
        }
    }

    struct Paper: Encodable, Sendable {
        let id: String
        let name: String
        let required: Bool
    }

    struct Part: Encodable, Sendable {
        let role: String
        let title: String?
        let titleName: String?
        /// Whether nobody can ask for the role: an admin makes the account and invites the person.
        let invitationOnly: Bool
        /// Nil where nobody is asked for a date of birth.
        let ages: Ages?
        /// Whether the form has an address, which becomes the first saved place.
        let asksAddress: Bool
        /// Whether the form has a billing address.
        let asksBillingAddress: Bool
        /// Whether relatives can be named, whom the platform asks after the confirmation.
        let asksFamily: Bool
        /// The contact by which relatives are named, `email` or `mobile`: the one that the market proves.
        let familyBy: String?
        let details: [Detail]
        /// Uploaded after the registration; an admin looks at them.
        let papers: [Paper]
    }

    let market: String
    let name: String
    /// Whether people can register here now, in some way.
    let open: Bool
    let ways: [Way]
    /// The way in which an account with a password is confirmed: `none`, `email` or `sms`.
    let confirmation: String
    /// The languages that a person can choose; the first is the market's own.
    let languages: [String]
    let terms: Terms?
    /// Whether people may show their e-mail address or mobile number to all of the market.
    let publishesContact: Bool
    /// A note to show beside free-text fields, such as the address; nil for none.
    let freeTextNote: String?
    let roles: [Part]

    init(
        _ market: Market, _ onboarding: Market.Onboarding, confirmation: Market.Confirmation, signIn: SignInRule,
        languages: [String], in language: ServiceKit.Language
    ) {
        let language = language.rawValue
        self.market = market.id
        name = market.name.text(in: language)
        open = signIn.isOpen(market.id)
        ways = [
            Way(way: Market.SignIn.password.rawValue, open: signIn.takesPassword(in: market.id)),
            Way(way: Market.SignIn.nafath.rawValue, open: signIn.takesNafath(in: market.id)),
        ].filter { way in way.open || market.signIn.contains { $0.rawValue == way.way } }
        self.confirmation = confirmation.rawValue
        self.languages = languages
        terms = onboarding.terms.map { Terms(version: $0.version, text: $0.text.text(in: language)) }
        publishesContact = onboarding.publishesContact
        freeTextNote = market.freeTextNote?.text(in: language)
        let familyBy = onboarding.asksFamily ? confirmation.familyContact.rawValue : nil
        let customer = Part(
            role: Role.Kind.customer.rawValue, title: nil, titleName: nil, invitationOnly: false,
            ages: onboarding.customerAges.map { Ages(minimum: $0.minimum, adultBelow: $0.adultBelow) },
            asksAddress: onboarding.asksAddress,
            asksBillingAddress: onboarding.billingAddressOf.contains(Role.Kind.customer.rawValue),
            asksFamily: onboarding.asksFamily, familyBy: familyBy, details: [], papers: [])
        roles =
            [customer]
            + market.titles.map { title in
                Part(
                    role: Role.Kind.provider.rawValue, title: title.id, titleName: title.name.text(in: language),
                    invitationOnly: onboarding.providerCheck == .invitation,
                    ages: onboarding.providerAges[title.id].map { Ages(minimum: $0, adultBelow: nil) },
                    asksAddress: false, asksBillingAddress: onboarding.billingAddressOf.contains(title.id),
                    asksFamily: false, familyBy: nil,
                    details: onboarding.details(of: title.id).map { Detail($0, in: language) },
                    papers: onboarding.papers(of: title.id).map {
                        Paper(id: $0.id, name: $0.name.text(in: language), required: $0.isRequired)
                    })
            }
    }
}
