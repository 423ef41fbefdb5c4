import Contracts
import Foundation

/// The sections of what a market's admins write for everybody (A3).
enum ContentSection: String, CaseIterable, Sendable {
    /// The start of the website.
    case brief
    case about, privacy, terms, faq
    /// How one reaches the market's admins.
    case support
    case news, fatawa, rituals, contacts

    /// The groups that an entry is one of; empty where there are none.
    var groups: [String] {
        switch self {
        case .news: ["local", "world"]
        case .contacts: ["emergencies", "hospitals", "other"]
        case .brief, .about, .privacy, .terms, .faq, .support, .fatawa, .rituals: []
        }
    }

    /// Whether people accept the section (X8): then it is one text, which admins change and never withdraw.
    var isAccepted: Bool { self == .terms }

    /// Whether the newest entry comes first. In other sections admins put the entries into an order.
    var isByTime: Bool { self == .news }
}

/// The words of an entry: a question and its answer, a contact's name and place, a piece of news.
struct Content: Codable, Hashable, Sendable {
    let title: LocalizedText
    /// Marked up as ``ContentText`` reads it.
    let body: LocalizedText
    var group: String?
    /// A contact's number, as people dial it.
    var number: String?
    /// The name of an uploaded picture, see ``CatalogueImage``.
    var image: String?
    /// Words for the picture, for people who do not see it.
    var alt: LocalizedText?
}

extension Content {
    /// The same text with the picture of the one before. Words of a picture that there is not are dropped; those that there
    /// are stay where none are given.
    func pictured(as before: Content?) -> Content {
        var content = self
        content.image = before?.image
        content.alt = before?.image == nil ? nil : alt ?? before?.alt
        return content
    }
}
