import Foundation

/// A person and what he or she is in each market. Every change makes it a new version, by which others tell which of
/// two snapshots is newer.
struct Account: Hashable, Sendable {
    enum Gender: String, Sendable, CaseIterable { case female, male }

    /// The language that texts to the account are written in, by its primary subtag (RFC 5646). Which there are, the
    /// catalogues say: each is a file.
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
    /// What the picture is got by; nil where there is none.
    private(set) var avatar: String?
    /// At most one of each kind in each market.
    private(set) var roles: [Role]
    /// Those that hold, and those that have run out. At most one for each market.
    private(set) var bans: [Ban]

    /// A new account.
    init(id: UUID, name: PersonName, gender: Gender?, language: Language, role: Role) {
        self.init(id: id, version: 1, name: name, gender: gender, language: language, roles: [role])
    }

    /// An account as it was stored.
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
        roles.first { $0.kind == kind && $0.market == market }
    }

    /// Takes another role. Who was rejected as a provider may ask again, and the reason stays until an admin looks: nobody
    /// else's word undoes an admin's.
    mutating func add(_ role: Role) throws(AccountError) {
        if let index = index(role.kind, role.market) {
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

    /// Takes a role as it is, in place of the one that there may be.
    mutating func put(_ role: Role) -> Role {
        if let index = index(role.kind, role.market) { roles[index] = role } else { roles.append(role) }
        version += 1
        return role
    }

    /// Nil leaves a part as it is. An admin verified this name and this gender: with another one a provider waits again.
    ///
    /// - Parameter needsCheck: whether somebody has looked at who providers of the market are.
    /// - Returns: false when nothing is different.
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

    /// An admin's word on somebody of a market, which needs nobody's check.
    ///
    /// - Returns: false when nothing is different.
    mutating func correct(_ change: PersonChange, in market: String) throws(AccountError) -> Bool {
        let before = self
        name = change.name ?? name
        gender = change.gender ?? gender
        language = change.language ?? language
        if let title = change.title {
            guard let index = index(.provider, market) else { throw .notAProvider }
            let old = roles[index]
            roles[index] = Role(
                market: market, kind: .provider, title: title, state: old.state, reason: old.reason,
                vehicle: old.vehicle)
        }
        guard self != before else { return false }
        version += 1
        return true
    }

    /// - Parameter id: nil takes the picture away.
    mutating func show(avatar id: String?) {
        avatar = id
        version += 1
    }

    /// What a verified provider was verified by is no longer so: an admin is to look again.
    ///
    /// - Returns: false when the provider was not verified.
    mutating func waitAgain(in market: String) -> Bool {
        guard let index = index(.provider, market), roles[index].state == .verified else { return false }
        roles[index].state = .waiting
        version += 1
        return true
    }

    /// Other details or another day of birth: who was shown the old ones decides nothing by them. A verified provider waits again.
    ///
    /// - Parameter needsCheck: whether an admin looks at it.
    /// - Returns: false for who is no provider of the market.
    mutating func bringsOther(in market: String, needsCheck: Bool = true) -> Bool {
        guard let index = index(.provider, market) else { return false }
        if needsCheck, roles[index].state == .verified { roles[index].state = .waiting }
        version += 1
        return true
    }

    /// Takes everything but an admin's rights in a market away.
    mutating func removeRoles(in market: String) {
        roles.removeAll { $0.market == market && $0.kind != .admin }
        version += 1
    }

    /// An admin's word on a provider. Each word can be taken back; to say the same again is refused, so that the later
    /// of two admins learns of the earlier.
    mutating func decide(_ decision: ProviderDecision, in market: String) throws(AccountError) {
        guard let index = index(.provider, market) else { throw .notAProvider }
        switch decision {
        case .verify(let title, let version):
            guard roles[index].title == title, version == nil || version == self.version else {
                throw .providerChanged(title: roles[index].title ?? "", version: self.version)
            }
            guard roles[index].state != .verified else { throw .alreadyDecided(.verified) }
            roles[index].state = .verified
            roles[index].reason = nil
        case .reject(let reason):
            guard roles[index].state != .rejected else { throw .alreadyDecided(.rejected) }
            roles[index].state = .rejected
            roles[index].reason = reason
        }
        version += 1
    }

    /// Bans the account, or changes the ban that there is.
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

    /// A ban has run out; others are told of the roles that are there again.
    mutating func banHasEnded() { version += 1 }

    /// It is to be deleted, or is. No snapshot of before has this version.
    mutating func beginsToLeave() { version += 1 }

    /// Takes an admin's rights in a market away.
    mutating func removeAdmin(of market: String) throws(AccountError) {
        guard let index = index(.admin, market) else { throw .notAnAdmin }
        roles.remove(at: index)
        version += 1
    }

    private func index(_ kind: Role.Kind, _ market: String) -> Int? {
        roles.firstIndex { $0.kind == kind && $0.market == market }
    }
}

/// What an account is in one market.
struct Role: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable { case customer, provider, admin }

    enum State: String, Sendable, CaseIterable {
        /// Needs nobody's word.
        case active
        /// For an admin to look at the papers.
        case waiting
        case verified, rejected
    }

    /// The market of a master admin: all of them.
    static let everyMarket = "*"

    let market: String
    let kind: Kind
    /// A provider's profession by its id in the market.
    let title: String?
    var state: State
    /// Why a provider was rejected.
    var reason: String?
    /// The class of what a driver drives, of those that the market asks it of.
    var vehicle: String?

    static func customer(in market: String) -> Role {
        Role(market: market, kind: .customer, title: nil, state: .active, reason: nil)
    }

    static func provider(in market: String, title: String) -> Role {
        Role(market: market, kind: .provider, title: title, state: .waiting, reason: nil)
    }

    static func admin(of market: String) -> Role {
        Role(market: market, kind: .admin, title: nil, state: .active, reason: nil)
    }

    var isVerified: Bool { state == .active || state == .verified }
    var isVerifiedProvider: Bool { kind == .provider && isVerified }
}

enum ProviderDecision: Hashable, Sendable {
    /// - Parameters:
    ///   - title: that the admin has looked at the papers for.
    ///   - version: of the account that the admin was shown; nil where it does not matter.
    case verify(title: String, version: Int?)
    case reject(reason: String)
}

/// Why an account does not change.
enum AccountError: Error, Equatable {
    case hasRole(Role.State)
    case notAProvider
    case notAnAdmin
    case notBanned
    /// The account is not that in the market, or is banned there.
    case noSuchRole
    case alreadyDecided(Role.State)
    /// The provider is no longer what the admin was shown.
    case providerChanged(title: String, version: Int)
}
