import Foundation
import HTTPTypes
import Messaging
import SeraiJSON
import ServiceKit

extension Form {
    /// `scopes`: what the two people may do for each other; empty for friends.
    func linkScopes(_ kind: Link.Kind?) -> Set<Link.Scope>? {
        let names = strings("scopes", count: 0...Link.Scope.allCases.count, length: 1...20, required: kind == .family)
        guard let names else { return kind == .family ? nil : [] }
        let scopes = names.compactMap(Link.Scope.init)
        guard scopes.count == names.count else {
            reject("scopes", "not-a-choice", ["choices": Link.Scope.allCases.map(\.rawValue).joined(separator: ", ")])
            return nil
        }
        guard kind == .family || scopes.isEmpty else {
            reject("scopes", "invalid-value")
            return nil
        }
        return Set(scopes)
    }
}

extension LinkError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notFound: .notFound
        case .unknownMobile: .invalidFields([FieldProblem("mobile", "unknown-mobile")])
        case .ownMobile: .invalidFields([FieldProblem("mobile", "own-mobile")])
        case .unknownEmail: .invalidFields([FieldProblem("email", "unknown-email")])
        case .ownEmail: .invalidFields([FieldProblem("email", "own-email")])
        case .tooManyAsked:
            Problem(
                "links-asked", status: .tooManyRequests, arguments: ["maximum": String(LinkRule.askedPerDay)],
                headers: [.retryAfter: "86400"])
        case .tooMany:
            Problem("too-many-links", status: .conflict, arguments: ["maximum": String(Link.maximum)])
        case .exists(let state):
            Problem("link-exists", status: .conflict, extensions: ["state": .string(state.rawValue)])
        case .banned: Problem("link-banned", status: .conflict)
        }
    }
}

extension Link.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notWaiting(let state):
            Problem("link-state", status: .conflict, extensions: ["state": .string(state.rawValue)])
        case .stranger: .forbidden
        }
    }
}

/// A link as shown to one of its two people.
struct LinkView: Encodable, Sendable {
    struct Other: Encodable, Sendable {
        let account: String?
        /// Nil for a person who was asked and has not agreed yet.
        let name: String?
        /// Set for confirmed friends only.
        let mobile: String?
        let place: SharedPlaceView?
    }

    let link: String
    let kind: String
    let market: String?
    let state: String
    let scopes: [String]
    /// Whether the other person has asked and waits for an answer.
    let asksMe: Bool
    let other: Other

    init(_ row: ListLinks.Line, for account: UUID, _ cipher: PersonalDataCipher) throws {
        let link = row.link
        let isFriend = link.kind == .friend && link.state == .confirmed
        let other = link.other(than: account)
        self.link = link.id.text
        kind = link.kind.rawValue
        market = link.market
        state = link.state.rawValue
        scopes = link.scopes.map(\.rawValue).sorted()
        asksMe = link.to == account && link.state == .asked
        // A person who only asked for a number is not told whose account it is.
        let isNamed = link.from == other || link.state != .asked
        self.other = Other(
            account: isNamed ? other.text : nil, name: isNamed ? row.name : nil,
            mobile: isFriend ? try row.mobile.map { try cipher.open($0, .mobile, of: other) } : nil,
            place: try row.place.flatMap { sealed in
                SharedPlace(try cipher.open(sealed, .sharedPlace, of: other)).map {
                    SharedPlaceView($0, sharedAt: row.sharedAt, expiresAt: row.expiresAt)
                }
            })
    }
}

struct LinkList: Encodable, Sendable {
    let items: [LinkView]
}

struct SharedPlaceView: Encodable, Sendable {
    let latitude: Double
    let longitude: Double
    let sharedAt: Date?
    let expiresAt: Date?

    init(_ place: SharedPlace, sharedAt: Date?, expiresAt: Date?) {
        latitude = place.latitude
        longitude = place.longitude
        self.sharedAt = sharedAt
        self.expiresAt = expiresAt
    }
}

/// The state of a link after a change, for the person who changed it.
struct LinkStateView: Encodable, Sendable {
    let link: String
    let state: String

    init(_ link: Link) {
        self.link = link.id.text
        state = link.state.rawValue
    }
}

/// A family link as shown to an admin of its market.
struct MarketLinkView: Encodable, Sendable {
    struct Side: Encodable, Sendable {
        let account: String
        let name: String
    }

    let link: String
    let state: String
    let scopes: [String]
    let from: Side
    let to: Side
    let askedAt: Date

    init(_ row: ListMarketLinks.Line) {
        link = row.link.id.text
        state = row.link.state.rawValue
        scopes = row.link.scopes.map(\.rawValue).sorted()
        from = Side(account: row.link.from.text, name: row.fromName)
        to = Side(account: row.link.to.text, name: row.toName)
        askedAt = row.askedAt
    }
}
