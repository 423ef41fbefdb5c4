import Foundation

/// A person and the person's roles in each market. Every change makes a new version; other services use it to tell
/// which of two snapshots is newer.
struct Account: Hashable, Sendable {
    enum Gender: String, Sendable, CaseIterable { case female, male }

    /// The language of texts to the account, by its primary subtag (RFC 5646). The catalogues define which languages
    /// exist: each is a file.
    struct Language: RawRepresentable, Hashable, Sendable {
        static let english = Language(rawValue: "en")
        static let arabic = Language(rawValue: "ar")

        let rawValue: String

        init(rawValue: String) { self.rawValue = rawValue }
    }

    let id: UUID
    private(set) var version: Int
    private(set) var name: PersonName
    private(set) var gender: Gender?
    private(set) var language: Language
    private(set) var choices: NoticeChoices
    /// The name in the picture's address; nil for an account without a picture.
    private(set) var avatar: String?
    /// At most one role of each kind in each market, but a provider's two: the work, and a restaurant beside it (B2).
    private(set) var roles: [Role]
    /// Bans that hold and bans that have ended, at most one for each market.
    private(set) var bans: [Ban]

    /// A new account.
    init(id: UUID, name: PersonName, gender: Gender?, language: Language, role: Role) {
        self.init(id: id, version: 1, name: name, gender: gender, language: language, roles: [role])
    }

    /// An account as read from the database.
    init(
        id: UUID, version: Int, name: PersonName, gender: Gender?, language: Language, roles: [Role], bans: [Ban] = [],
        choices: NoticeChoices = NoticeChoices(), avatar: String? = nil
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.gender = gender
        self.language = language
        self.roles = roles
        self.bans = bans
        self.choices = choices
        self.avatar = avatar
    }

    func role(_ kind: Role.Kind, in market: String) -> Role? {
        roles.first { $0.kind == kind && $0.market == market && !$0.sells }
            ?? roles.first { $0.kind == kind && $0.market == market }
    }

    /// The role that this one would replace.
    func role(like other: Role) -> Role? {
        index(other).map { roles[$0] }
    }

    /// The account's provider roles in a market: none, one or two.
    func providers(in market: String) -> [Role] {
        roles.filter { $0.kind == .provider && $0.market == market }
    }

    /// - Parameter title: nil is the work, or else the restaurant.
    func provider(in market: String, title: String?) -> Role? {
        guard let title else { return role(.provider, in: market) }
        return providers(in: market).first { $0.title == title }
    }

    /// Adds a role. A rejected provider may ask again; the reason of the rejection stays, and the role waits until an
    /// admin decides, because nothing but an admin's decision undoes an admin's rejection.
    mutating func add(_ role: Role) throws(AccountError) {
        // Nobody is both: what support may not do, its person may not do in the same market by another right.
        if role.isStaff, roles.contains(where: { $0.isStaff && $0.market == role.market && $0.kind != role.kind }) {
            throw .hasOtherRank
        }
        if let index = index(role) {
            guard roles[index].state == .rejected else { throw .hasRole(roles[index].state) }
            let reason = roles[index].reason
            roles[index] = role
            if role.kind == .provider { roles[index].state = .waiting }
            roles[index].reason = reason
        } else {
            roles.append(role)
        }
        version += 1
    }

    /// Stores the role as it is, in place of the existing one that it is like.
    mutating func put(_ role: Role) -> Role {
        if let index = index(role) { roles[index] = role } else { roles.append(role) }
        version += 1
        return role
    }

    /// Changes the profile; nil leaves a part as it is. An admin verified the old name and gender, so with another one
    /// a verified provider waits again.
    ///
    /// - Parameter needsCheck: whether the market checks who its providers are.
    /// - Returns: false when nothing changed.
    mutating func change(
        name: PersonName?, gender: Gender?, language: Language?, choices: NoticeChoices? = nil,
        needsCheck: (_ market: String) -> Bool = { _ in true }
    ) -> Bool {
        let before = self
        self.name = name ?? self.name
        self.gender = gender ?? self.gender
        self.language = language ?? self.language
        self.choices = choices ?? self.choices
        guard self != before else { return false }
        if self.name != before.name || self.gender != before.gender {
            for index in roles.indices where roles[index].state == .verified && needsCheck(roles[index].market) {
                roles[index].state = .waiting
            }
        }
        version += 1
        return true
    }

    /// Changes a person of a market at an admin's request. A verified provider stays verified, because the change needs
    /// no further check.
    ///
    /// - Returns: false when nothing changed.
    mutating func correct(_ change: PersonChange, in market: String) throws(AccountError) -> Bool {
        let before = self
        name = change.name ?? name
        gender = change.gender ?? gender
        language = change.language ?? language
        if let title = change.title {
            let all = roles.indices.filter { roles[$0].kind == .provider && roles[$0].market == market }
            let sells = Role.provider(in: market, title: title).sells
            // Of two roles the one that the title fits, else the only one.
            guard let index = all.first(where: { roles[$0].sells == sells }) ?? all.first else { throw .notAProvider }
            let old = roles[index]
            roles[index] = Role(
                market: market, kind: .provider, title: title, state: old.state, reason: old.reason,
                vehicle: old.sells == sells ? old.vehicle : nil, car: old.sells == sells ? old.car : nil)
        }
        guard self != before else { return false }
        version += 1
        return true
    }

    /// - Parameter id: nil removes the picture.
    mutating func show(avatar id: String?) {
        avatar = id
        version += 1
    }

    /// Makes a verified provider wait for an admin, because the reason for the verification no longer holds.
    ///
    /// - Returns: false when the provider was not verified.
    mutating func waitAgain(_ role: Role) -> Bool {
        guard let index = index(role), roles[index].state == .verified else { return false }
        roles[index].state = .waiting
        version += 1
        return true
    }

    /// Records other details or another date of birth. The new version makes an admin's decision about the old ones
    /// fail. A verified provider waits again.
    ///
    /// - Parameter needsCheck: whether an admin checks the changed data.
    /// - Returns: false for an account that has no such role.
    mutating func bringsOther(_ role: Role, needsCheck: Bool = true) -> Bool {
        guard let index = index(role) else { return false }
        if needsCheck, roles[index].state == .verified { roles[index].state = .waiting }
        version += 1
        return true
    }

    /// Sets the class of a provider's vehicle. It is told with the account, so the version has to change as well.
    mutating func drives(_ vehicle: String?, as role: Role) {
        guard let index = index(role) else { return }
        roles[index].vehicle = vehicle
    }

    /// Removes all roles in a market except the rights of an admin or of support.
    mutating func removeRoles(in market: String) {
        roles.removeAll { $0.market == market && !$0.isStaff }
        version += 1
    }

    /// Applies an admin's decision about a provider. Each decision can be reversed. Repeating the current decision is
    /// refused, so that the second of two admins learns of the first.
    ///
    /// - Returns: the role as it is decided.
    @discardableResult
    mutating func decide(_ decision: ProviderDecision, in market: String) throws(AccountError) -> Role {
        let known = providers(in: market)
        guard let only = known.first else { throw .notAProvider }
        guard known.count == 1 || decision.title != nil else { throw .severalTitles }
        let role = known.first { $0.title == decision.title } ?? only
        guard let index = index(role) else { throw .notAProvider }
        switch decision {
        case .verify(let title, let version):
            guard role.title == title, version == nil || version == self.version else {
                throw .providerChanged(title: role.title ?? "", version: self.version)
            }
            guard roles[index].state != .verified else { throw .alreadyDecided(.verified) }
            roles[index].state = .verified
            roles[index].reason = nil
        case .reject(let reason, let title):
            guard title == nil || role.title == title else {
                throw .providerChanged(title: role.title ?? "", version: version)
            }
            guard roles[index].state != .rejected else { throw .alreadyDecided(.rejected) }
            roles[index].state = .rejected
            roles[index].reason = reason
        }
        version += 1
        return roles[index]
    }

    /// Bans the account in the ban's market, in place of an earlier ban there.
    mutating func ban(_ ban: Ban) {
        bans.removeAll { $0.market == ban.market }
        bans.append(ban)
        version += 1
    }

    mutating func unban(in market: String) throws(AccountError) {
        guard bans.contains(where: { $0.market == market }) else { throw .notBanned }
        bans.removeAll { $0.market == market }
        version += 1
    }

    /// Makes a new version when a ban has ended, so that other services learn of the roles that hold again.
    mutating func banHasEnded() { version += 1 }

    /// Makes a new version when the account is to be deleted or is deleted, so that no earlier snapshot has this
    /// version.
    mutating func beginsToLeave() { version += 1 }

    /// Removes the rights of an admin or of support in a market.
    ///
    /// - Returns: what the account was there.
    mutating func removeRank(in market: String) throws(AccountError) -> Role {
        guard let index = roles.firstIndex(where: { $0.isStaff && $0.market == market }) else { throw .notAnAdmin }
        version += 1
        return roles.remove(at: index)
    }

    private func index(_ role: Role) -> Int? {
        roles.firstIndex { $0.kind == role.kind && $0.market == role.market && $0.sells == role.sells }
    }
}

/// A role of an account in one market: customer, provider, admin or support.
struct Role: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case customer, provider, admin
        /// Reads what admins of the market read, and acts as none.
        case support
    }

    enum State: String, Sendable, CaseIterable {
        /// Needs no admin's decision.
        case active
        /// An admin has to look at the papers.
        case waiting
        case verified, rejected
    }

    /// The title that one may have beside another one in a market.
    static let restaurant = "restaurant"
    /// The market of a master admin's role: it stands for all markets.
    static let everyMarket = "*"

    let market: String
    let kind: Kind
    /// A provider's profession, by its id in the market.
    let title: String?
    var state: State
    /// An admin's reason for rejecting the provider.
    var reason: String?
    /// The class of a driver's vehicle, where the market asks for it.
    var vehicle: String?
    /// A driver's car, as it is recognized.
    var car: Car?

    static func customer(in market: String) -> Role {
        Role(market: market, kind: .customer, title: nil, state: .active, reason: nil)
    }

    static func provider(in market: String, title: String) -> Role {
        Role(market: market, kind: .provider, title: title, state: .waiting, reason: nil)
    }

    static func admin(of market: String) -> Role {
        Role(market: market, kind: .admin, title: nil, state: .active, reason: nil)
    }

    static func support(of market: String) -> Role {
        Role(market: market, kind: .support, title: nil, state: .active, reason: nil)
    }

    /// Whether it is a right over other people's matters, which master admins alone give and which needs a second
    /// factor.
    var isStaff: Bool { kind == .admin || kind == .support }
    /// Whether it is a restaurant's, which does not carry orders. Its owner may work in the market as well.
    var sells: Bool { title == Self.restaurant }
    var isVerified: Bool { state == .active || state == .verified }
    var isVerifiedProvider: Bool { kind == .provider && isVerified }
}

enum ProviderDecision: Hashable, Sendable {
    /// - Parameters:
    ///   - title: the title for which the admin has checked the papers.
    ///   - version: the version of the account that the admin saw; nil where it does not matter.
    case verify(title: String, version: Int?)
    /// - Parameter title: the title that is rejected; nil for the only one.
    case reject(reason: String, title: String? = nil)

    var title: String? {
        switch self {
        case .verify(let title, _): title
        case .reject(_, let title): title
        }
    }
}

/// The reasons for which a change of an account is refused.
enum AccountError: Error, Equatable {
    case hasRole(Role.State)
    case notAProvider
    /// The account is a provider of the market in two ways, and the request does not say which one is meant.
    case severalTitles
    case notAnAdmin
    /// The account is an admin and should become support, or the reverse.
    case hasOtherRank
    case notBanned
    /// The account does not have the role in the market, or a ban blocks it.
    case noSuchRole
    case alreadyDecided(Role.State)
    /// The provider has changed since the admin looked.
    case providerChanged(title: String, version: Int)
}
