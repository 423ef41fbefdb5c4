import Foundation

/// A provider's document without its contents.
struct ProviderPaper: Hashable, Sendable {
    let id: UUID
    /// One of the market's kinds, such as `licence`.
    let kind: String
    let state: Role.State
    /// The reason for the rejection.
    let reason: String?
    /// The file's media type.
    let mediaType: String
    /// The file's size in bytes.
    let size: Int
    let uploadedAt: Date
    let decidedAt: Date?
    /// The last day on which it holds; nil for one that has none.
    var expiresOn: CalendarDate?
    /// When it lapsed; its state is rejected then.
    var lapsedAt: Date?
}

/// A provider's documents, and the kinds that are required.
struct ProviderPapers: Hashable, Sendable {
    let papers: [ProviderPaper]
    /// The kinds that have to be verified before the provider is.
    let required: [String]

    /// The required kinds without a verified document, in the market's order.
    var missing: [String] {
        let verified = Set(papers.filter { $0.state == .verified }.map(\.kind))
        return required.filter { !verified.contains($0) }
    }
}
