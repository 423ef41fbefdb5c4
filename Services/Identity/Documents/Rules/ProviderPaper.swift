import Foundation

/// A document that a provider has brought, without its contents.
struct ProviderPaper: Hashable, Sendable {
    let id: UUID
    /// Of the market's kinds, such as `licence`.
    let kind: String
    let state: Role.State
    /// Why it was rejected.
    let reason: String?
    /// Of the file.
    let mediaType: String
    /// In bytes.
    let size: Int
    let uploadedAt: Date
    let decidedAt: Date?
}

/// What a provider has brought, against what is asked for.
struct ProviderPapers: Hashable, Sendable {
    let papers: [ProviderPaper]
    /// The kinds without which nobody is verified.
    let required: [String]

    /// The required kinds that nobody has verified, in the market's order.
    var missing: [String] {
        let verified = Set(papers.filter { $0.state == .verified }.map(\.kind))
        return required.filter { !verified.contains($0) }
    }
}
