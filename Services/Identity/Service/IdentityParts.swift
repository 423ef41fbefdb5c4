import Contracts
import Foundation
import LiveMarkets
import Metrics
import Postgres
import ServiceKit

/// The parts that routes and handlers use: every use case of the service, and shared settings and clients.
struct IdentityParts: Sendable {
    /// Rate limits in addition to those of all routes. Each route that hashes a password has one, by address or by
    /// account.
    struct Limits: Sendable {
        let registering: RateLimitMiddleware
        let loggingIn: RateLimitMiddleware
        /// By account: its owner gives the password again, or another one.
        let proving: RateLimitMiddleware
        /// By address: links and codes that anybody may ask for, for anybody.
        let asking: RateLimitMiddleware
        /// Public data that anybody may read by an id.
        let lookingUp: RateLimitMiddleware
        /// One's own data, by account.
        let exporting: RateLimitMiddleware
        /// Files, by account: each is read, sealed and stored.
        let uploading: RateLimitMiddleware
        /// Places of somebody on the move, by account: one a second.
        let moving: RateLimitMiddleware

        init(
            registering: RateLimit, loggingIn: RateLimit, proving: RateLimit, asking: RateLimit,
            metrics: any MetricsFactory
        ) {
            self.proving = RateLimitMiddleware(group: "prove", proving, by: .caller, metrics: metrics)
            self.asking = RateLimitMiddleware(group: "ask", asking, by: .address, metrics: metrics)
            self.registering = RateLimitMiddleware(group: "register", registering, by: .address, metrics: metrics)
            self.loggingIn = RateLimitMiddleware(group: "login", loggingIn, by: .address, metrics: metrics)
            exporting = RateLimitMiddleware(
                group: "export", RateLimit(perSecond: 1 / 720, burst: 5), by: .caller, metrics: metrics)
            uploading = RateLimitMiddleware(
                group: "upload", RateLimit(perSecond: 0.1, burst: 30), by: .caller, metrics: metrics)
            moving = RateLimitMiddleware(
                group: "move", RateLimit(perSecond: 1, burst: 5), by: .caller, metrics: metrics)
            lookingUp = RateLimitMiddleware(
                group: "look-up", RateLimit(perSecond: 1, burst: 30), by: .address, metrics: metrics)
        }
    }

    let base: ServiceBase
    let cipher: PersonalDataCipher
    let hasher: PasswordHasher
    /// Nil where no list is configured.
    let breached: BreachedPasswords?
    let tokens: AccessTokens
    let seal: DeliverySeal
    let webURL: String
    let smsLimits: SMSBudget.Limits
    let confirmation: @Sendable (_ market: String) -> Market.Confirmation
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding
    let markets: LiveMarkets
    let terms: LiveTerms
    /// That texts can be written in: those of the catalogues.
    let languages: Set<Account.Language>
    let signIn: SignInRule
    /// Nil where no issuer is configured.
    let provider: OpenIDProvider?
    let limits: Limits
    let livePlaces = LivePlaces()

    var pool: PostgresPool { base.pool }
    var idempotency: IdempotencyStore { base.idempotency }
    var cursors: CursorSealer { base.cursors }
    var ended: EndedSessions { base.ended }
    var clock: @Sendable () -> Date { base.clock }

    // Operations

    var register: RegisterAccount { RegisterAccount(cipher: cipher, sendProof: sendProof, confirmation: confirmation) }
    var hashNewPassword: HashNewPassword { HashNewPassword(hasher: hasher, breached: breached) }
    var change: ChangeAccount {
        ChangeAccount(onboarding: onboarding, signIn: signIn, confirmation: confirmation)
    }
    var decideProvider: DecideProvider {
        DecideProvider(documents: documents, deliver: deliver, confirmation: confirmation)
    }
    var checkCredentials: CheckCredentials { CheckCredentials(pool: pool, cipher: cipher, hasher: hasher) }
    var startSession: StartSession {
        StartSession(tokens: tokens, endSessions: endSessions, deliver: deliver, onboarding: onboarding)
    }
    var logIn: LogIn {
        LogIn(pool: pool, signIn: signIn, startSession: startSession, secondFactor: secondFactor)
    }
    var secondFactor: SecondFactor {
        SecondFactor(pool: pool, cipher: cipher, checkCredentials: checkCredentials, deliver: deliver)
    }
    var refreshSession: RefreshSession {
        RefreshSession(pool: pool, tokens: tokens, endSessions: endSessions, onboarding: onboarding)
    }
    var endSessions: EndSessions { EndSessions(ended: ended, accessSeconds: tokens.lifetimeSeconds) }

    var banAccount: BanAccount { BanAccount(endSessions: endSessions) }
    var changeAdmin: ChangeAdmin { ChangeAdmin(endSessions: endSessions) }

    var deliver: RequestDelivery {
        RequestDelivery(cipher: cipher, seal: seal, webURL: webURL, budget: smsBudget) { [markets] market in
            (markets.settings(of: market) ?? Market.named(market)?.defaults)?.subscriptionRequired ?? false
        }
    }
    var smsBudget: SMSBudget { SMSBudget(limits: smsLimits, cipher: cipher) }
    var sendProof: SendProof { SendProof(cipher: cipher, deliver: deliver) }
    var askProof: AskProof { AskProof(sendProof: sendProof) }
    var takeContact: TakeContact { TakeContact(deliver: deliver) }
    var confirmAccount: ConfirmAccount { ConfirmAccount(pool: pool, cipher: cipher, takeContact: takeContact) }
    var changePassword: ChangePassword {
        ChangePassword(endSessions: endSessions, deliver: deliver, confirmAccount: confirmAccount)
    }

    var proveOwner: ProveOwner { ProveOwner(pool: pool, checkCredentials: checkCredentials) }
    var changeLinks: ChangeLinks { ChangeLinks(pool: pool, cipher: cipher) }
    var moveSharedPlaces: MoveSharedPlaces { MoveSharedPlaces(pool: pool, cipher: cipher) }
    var managePeople: ManagePeople {
        ManagePeople(
            cipher: cipher, signIn: signIn, documents: documents, deliver: deliver, sendProof: sendProof,
            endSessions: endSessions, askDeletion: askDeletion, secondFactor: secondFactor, readProfile: readProfile,
            confirmation: confirmation)
    }
    var titleQuestions: TitleQuestions {
        TitleQuestions(managePeople: managePeople, decideProvider: decideProvider, rules: { roleRules })
    }
    var correctContact: CorrectContact {
        CorrectContact(cipher: cipher, deliver: deliver, sendProof: sendProof, signIn: signIn)
    }
    var offerRole: OfferRole {
        OfferRole(cipher: cipher, deliver: deliver, managePeople: managePeople)
    }
    var decideRemoval: DecideRemoval { DecideRemoval(askDeletion: askDeletion) }
    var askDeletion: AskDeletion { AskDeletion() }
    var decideDeletion: DecideDeletionOfAccount {
        DecideDeletionOfAccount(endSessions: endSessions, deliver: deliver)
    }
    var deliverSession: SessionDelivery { SessionDelivery(isSecure: webURL.hasPrefix("https:"), markets: markets) }
    var changeContact: ChangeContact {
        ChangeContact(
            pool: pool, cipher: cipher, deliver: deliver, takeContact: takeContact,
            verifyByContact: VerifyByContact(deliver: deliver, documents: documents, onboarding: onboarding))
    }
    var changeBirthDate: ChangeBirthDate { ChangeBirthDate(cipher: cipher, onboarding: onboarding) }
    var changeAvatar: ChangeAvatar { ChangeAvatar(cipher: cipher) }
    var changeDetails: ChangeDetails { ChangeDetails(intake: RecordIntake(cipher: cipher)) }
    var places: SavedPlaces { SavedPlaces(cipher: cipher) }
    var recentPlaces: RecentPlaces { RecentPlaces(cipher: cipher) }
    var documents: ProviderDocuments {
        ProviderDocuments(cipher: cipher, onboarding: onboarding, deliver: deliver, zone: zone)
    }

    /// By what roles are taken now.
    var roleRules: RoleRules {
        RoleRules(onboarding: onboarding, confirmation: confirmation, area: serviceArea, zone: zone, now: clock())
    }

    /// In which a market's days are counted now; Greenwich's where there is no such market.
    @Sendable func zone(of market: String) -> TimeZone {
        markets.settings(of: market).flatMap { TimeZone(identifier: $0.timeZone) } ?? .gmt
    }

    /// The languages of a market by its admins' current setting; the first is its default. All where there is no such
    /// market.
    @Sendable func languages(of market: String) -> [ServiceKit.Language] {
        let named = (markets.settings(of: market) ?? Market.named(market)?.defaults)?.languages
        return (named ?? languages.map(\.rawValue).sorted()).map(ServiceKit.Language.init(rawValue:))
    }

    /// The languages that a person can choose in a market: its own, as far as there is a catalogue.
    @Sendable func choices(in market: String) -> Set<Account.Language> {
        languages.intersection(languages(of: market).map { Account.Language(rawValue: $0.rawValue) })
    }

    /// The market with what its admins have changed of its catalogue.
    func current(_ market: Market) -> Market { markets.named(market.id) ?? market }

    /// Where the market serves, as its admin has set it last.
    @Sendable func serviceArea(of market: Market) -> ServiceArea {
        ServiceArea(corners: (markets.settings(of: market.id) ?? market.defaults).serviceArea)
    }
    var admitNafathPerson: AdmitNafathPerson {
        AdmitNafathPerson(
            cipher: cipher, change: change, onboarding: onboarding, takeContact: takeContact, deliver: deliver,
            documents: documents)
    }
    var removeNafath: RemoveNafath {
        RemoveNafath(signIn: signIn, onboarding: onboarding, deliver: deliver)
    }
    var nafath: NafathParts? {
        provider.map { provider in
            NafathParts(
                begin: BeginNafathSignIn(pool: pool, provider: provider),
                finish: FinishNafathSignIn(pool: pool, provider: provider),
                link: LinkNafathPerson(
                    pool: pool, cipher: cipher, markets: markets, checkCredentials: checkCredentials,
                    admit: admitNafathPerson, confirmAccount: confirmAccount, deliver: deliver))
        }
    }

    // Queries

    var exportAccount: ExportAccount {
        ExportAccount(pool: pool, readProfile: readProfile, cipher: cipher, markets: markets)
    }
    var readProfile: ReadProfile { ReadProfile(pool: pool, cipher: cipher) }
    var readPerson: ReadPerson { ReadPerson(pool: pool, cipher: cipher, onboarding: onboarding) }
    var readPapers: ReadPapers { ReadPapers(documents: documents) }
}
