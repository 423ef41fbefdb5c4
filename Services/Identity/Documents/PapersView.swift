import Contracts
import Foundation
import LiveMarkets
import Messaging

/// The documents and details that a provider has brought for a market, and those that are asked for.
struct PapersView: Encodable, Sendable {
    struct Kind: Encodable, Sendable {
        let kind: String
        let name: [String: String]
        let required: Bool
        /// Whether its verification names the last day on which it holds.
        let expires: Bool
    }

    /// A detail as the market names it.
    struct Typed: Encodable, Sendable {
        let id: String
        let name: [String: String]
        let value: String
        /// The value's name where it is one of a list.
        let valueName: [String: String]?

        init(_ detail: Market.Onboarding.Detail, _ value: String) {
            id = detail.id
            name = detail.name.texts
            self.value = value
            guard case .choice(let choices) = detail.kind else {
                valueName = nil
                return
            }
            valueName = choices.first { $0.id == value }?.name.texts
        }
    }

    struct Document: Encodable, Sendable {
        let document: String
        let kind: String
        /// `waiting`, `verified`, `rejected` or `lapsed`.
        let state: String
        let reason: String?
        let mediaType: String
        /// In bytes.
        let size: Int
        let uploadedAt: Date
        let decidedAt: Date?
        let expiresOn: String?
    }

    let market: String
    let provider: RoleView
    /// The account's, for a decision about the provider.
    let version: Int
    /// The typed details; absent where they are not shown.
    let details: [String: String]?
    /// The same in the market's order, as far as the market still asks for them.
    let typed: [Typed]?
    let asked: [Kind]
    let documents: [Document]
    /// The required kinds without a verified document.
    let missing: [String]

    init(_ found: ReadPapers.Found, of market: Market, _ markets: LiveMarkets, _ onboarding: Market.Onboarding) {
        self.market = market.id
        provider = RoleView(found.role, markets)
        version = found.version
        details = found.details
        typed = found.details.map { details in
            onboarding.details.compactMap { detail in details[detail.id].map { Typed(detail, $0) } }
        }
        asked = onboarding.papers(of: found.role.title ?? "").map {
            Kind(kind: $0.id, name: $0.name.texts, required: $0.isRequired, expires: $0.expires)
        }
        documents = found.papers.papers.map {
            Document(
                document: $0.id.text, kind: $0.kind, state: $0.lapsedAt == nil ? $0.state.rawValue : "lapsed",
                reason: $0.reason,
                mediaType: $0.mediaType, size: $0.size, uploadedAt: $0.uploadedAt,
                decidedAt: $0.decidedAt, expiresOn: $0.expiresOn?.text)
        }
        missing = found.papers.missing
    }
}
