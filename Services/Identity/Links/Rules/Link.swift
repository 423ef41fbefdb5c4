import Foundation

/// A link between two people (I9): friends need both people's agreement, families an admin's approval too. The scopes
/// hold in both directions.
struct Link: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable { case friend, family }

    enum Scope: String, Sendable, CaseIterable {
        /// Each may order for the other.
        case order
        /// Each may see the other's orders.
        case see
    }

    enum State: String, Sendable, CaseIterable {
        /// The other person has not answered.
        case asked
        /// Both have agreed; an admin has to approve.
        case agreed
        case confirmed
        /// One of the two wants no more to do with the other, who is not told so.
        case blocked
    }

    enum Refusal: Error, Equatable {
        /// The link waits for nothing from this person now.
        case notWaiting(State)
        /// The person is not the one who was asked.
        case stranger
    }

    /// The maximum of links of one account, in all states together.
    static let maximum = 200

    let id: UUID
    let kind: Kind
    /// The market of a family, whose admins approve it.
    let market: String?
    let from: UUID
    let to: UUID
    let scopes: Set<Scope>
    private(set) var state: State
    /// Who of the two has blocked the other; nil but for `blocked`.
    private(set) var blockedBy: UUID?

    /// A link that one of the two asks for.
    static func asked(
        _ id: UUID, _ kind: Kind, market: String?, from: UUID, to: UUID, scopes: Set<Scope>
    ) -> Link {
        Link(id: id, kind: kind, market: market, from: from, to: to, scopes: scopes, state: .asked)
    }

    /// A link that an admin makes for both.
    static func made(_ id: UUID, market: String, from: UUID, to: UUID, scopes: Set<Scope>) -> Link {
        Link(id: id, kind: .family, market: market, from: from, to: to, scopes: scopes, state: .confirmed)
    }

    init(
        id: UUID, kind: Kind, market: String?, from: UUID, to: UUID, scopes: Set<Scope>, state: State,
        blockedBy: UUID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.market = market
        self.from = from
        self.to = to
        self.scopes = scopes
        self.state = state
        self.blockedBy = blockedBy
    }

    func isOf(_ account: UUID) -> Bool { from == account || to == account }

    /// Whether the link is there for this account: for whom it blocks it is not.
    func isShown(to account: UUID) -> Bool { isOf(account) && (blockedBy == nil || blockedBy == account) }

    func other(than account: UUID) -> UUID { from == account ? to : from }

    /// Records the agreement of the person who was asked.
    mutating func agree(by account: UUID) throws(Refusal) {
        guard account == to else { throw .stranger }
        guard state == .asked else { throw .notWaiting(state) }
        state = kind == .friend ? .confirmed : .agreed
    }

    /// Blocks the other one of a friendship, which holds or is asked for by that one. Who has merely asked for a number
    /// does not learn by this whose it is.
    mutating func block(by account: UUID) throws(Refusal) {
        guard kind == .friend, state == .confirmed || (state == .asked && to == account) else {
            throw .notWaiting(state)
        }
        state = .blocked
        blockedBy = account
    }

    /// Records an admin's approval, after both people have agreed.
    mutating func approve() throws(Refusal) {
        guard kind == .family, state == .agreed else { throw .notWaiting(state) }
        state = .confirmed
    }
}

/// The limit of link requests: it keeps callers from testing many numbers for accounts.
enum LinkRule {
    /// Requests within a day, for known and unknown numbers.
    static let askedPerDay = 20
}

/// A place that friends see, for the minutes that its owner sets (I10).
struct SharedPlace: Hashable, Sendable {
    /// A pilgrimage at most: what somebody has forgotten ends by itself.
    static let minutes = 1...43_200

    let latitude: Double
    let longitude: Double

    var text: String { "\(latitude) \(longitude)" }

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// - Returns: nil for a text that ``text`` did not write.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 2 else { return nil }
        self.init(latitude: numbers[0], longitude: numbers[1])
    }
}
