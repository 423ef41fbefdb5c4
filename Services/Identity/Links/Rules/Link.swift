import Foundation

/// Two people who know each other (I9): friends by both sides' word, families by an admin's too. What they may do, they
/// may do for each other.
struct Link: Hashable, Sendable {
    enum Kind: String, Sendable, CaseIterable { case friend, family }

    enum Scope: String, Sendable, CaseIterable {
        /// Order for the other one.
        case order
        /// See the other one's orders.
        case see
    }

    enum State: String, Sendable, CaseIterable {
        /// The other side has not answered.
        case asked
        /// Both have given their word; an admin looks at it.
        case agreed
        case confirmed
    }

    enum Refusal: Error, Equatable {
        /// Nothing is waited for from this person now.
        case notWaiting(State)
        /// It is not theirs.
        case stranger
    }

    /// Of all states together, of one account.
    static let maximum = 200

    let id: UUID
    let kind: Kind
    /// Of a family: whose admins approve it.
    let market: String?
    let from: UUID
    let to: UUID
    let scopes: Set<Scope>
    private(set) var state: State

    /// By one of the two.
    static func asked(
        _ id: UUID, _ kind: Kind, market: String?, from: UUID, to: UUID, scopes: Set<Scope>
    ) -> Link {
        Link(id: id, kind: kind, market: market, from: from, to: to, scopes: scopes, state: .asked)
    }

    /// By an admin, for both.
    static func made(_ id: UUID, market: String, from: UUID, to: UUID, scopes: Set<Scope>) -> Link {
        Link(id: id, kind: .family, market: market, from: from, to: to, scopes: scopes, state: .confirmed)
    }

    init(
        id: UUID, kind: Kind, market: String?, from: UUID, to: UUID, scopes: Set<Scope>, state: State
    ) {
        self.id = id
        self.kind = kind
        self.market = market
        self.from = from
        self.to = to
        self.scopes = scopes
        self.state = state
    }

    func isOf(_ account: UUID) -> Bool { from == account || to == account }

    func other(than account: UUID) -> UUID { from == account ? to : from }

    /// The other side's word.
    mutating func agree(by account: UUID) throws(Refusal) {
        guard account == to else { throw .stranger }
        guard state == .asked else { throw .notWaiting(state) }
        state = kind == .friend ? .confirmed : .agreed
    }

    /// An admin's word, after both sides'.
    mutating func approve() throws(Refusal) {
        guard kind == .family, state == .agreed else { throw .notWaiting(state) }
        state = .confirmed
    }
}

/// Asking for links by numbers: nobody is to find out in numbers who has an account.
enum LinkRule {
    /// Within a day, whether the number was known or not.
    static let askedPerDay = 20
}

/// A place that friends are shown, for as long as its owner says (I10).
struct SharedPlace: Hashable, Sendable {
    static let minutes = 1...1_440

    let latitude: Double
    let longitude: Double

    var text: String { "\(latitude) \(longitude)" }

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// - Returns: nil for what ``text`` did not write.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 2 else { return nil }
        self.init(latitude: numbers[0], longitude: numbers[1])
    }
}
