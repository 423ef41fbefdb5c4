import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// A section in its admins' view.
struct ContentView: ResponseEncodable, Sendable {
    let market: String
    let section: String
    /// The languages in which each text is written.
    let languages: [String]
    /// The groups that an entry is one of; empty where there are none.
    let groups: [String]
    /// In the order of display.
    let items: [ContentEntryView]
}

struct ContentEntryView: ResponseEncodable, Sendable {
    let id: UUID
    /// The newest version.
    let version: Int
    let title: LocalizedText
    let body: LocalizedText
    let group: String?
    let number: String?
    /// Where its picture is served.
    let image: String?
    let alt: LocalizedText?
    /// When the newest version is published; nil for a draft.
    let publishedAt: Date?
    /// The version that everybody sees; nil for none.
    let shown: Int?
    /// When a version will be published.
    let plannedAt: Date?
    /// Nil for a text that came with the program.
    let by: UUID?
    let byName: String?
    let at: Date

    /// Nil for what this version of the program does not understand.
    init?(_ row: ContentRow, of market: String, names: [UUID: String]) {
        guard let content = Content(stored: row.text) else { return nil }
        (image, alt) = (content.imagePath(in: market), content.alt)
        (id, version, publishedAt) = (row.id, row.version, row.publishedAt)
        (shown, plannedAt) = (row.shown, row.plannedAt)
        (title, body, group, number) = (content.title, content.body, content.group, content.number)
        (by, byName, at) = (row.changedBy, row.changedBy.flatMap { names[$0] }, row.changedAt)
    }
}

struct ContentVersionsView: ResponseEncodable, Sendable {
    /// The newest first.
    let items: [ContentVersionView]
}

struct ContentVersionView: ResponseEncodable, Sendable {
    let version: Int
    let title: LocalizedText
    let body: LocalizedText
    let group: String?
    let number: String?
    let publishedAt: Date?
    /// Nil for a text that came with the program.
    let by: UUID?
    let byName: String?
    let at: Date

    init?(_ row: ContentVersionRow, names: [UUID: String]) {
        guard let content = Content(stored: row.text) else { return nil }
        (version, publishedAt) = (row.version, row.publishedAt)
        (title, body, group, number) = (content.title, content.body, content.group, content.number)
        (by, byName, at) = (row.changedBy, row.changedBy.flatMap { names[$0] }, row.changedAt)
    }
}

/// A section as everybody sees it, in one language.
struct PublishedContent: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let id: UUID
        let title: String
        /// The text without marks, as parts that a reader shows as text.
        let body: [ContentBlock]
        let group: String?
        let number: String?
        let image: Picture?
        let publishedAt: Date
    }

    struct Picture: Encodable, Sendable {
        let url: String
        /// What it shows.
        let alt: String
    }

    let market: String
    let section: String
    let items: [Item]

    init(_ rows: [PublishedContentRow], _ section: ContentSection, of market: String, in language: Language) {
        self.market = market
        self.section = section.rawValue
        let ordered = section.isByTime ? rows.sorted { $0.publishedAt > $1.publishedAt } : rows
        items = ordered.compactMap { row in
            guard let content = Content(stored: row.text) else { return nil }
            return Item(
                id: row.id, title: content.title.text(in: language.rawValue),
                body: ContentText.blocks(content.body.text(in: language.rawValue)), group: content.group,
                number: content.number,
                image: content.imagePath(in: market).map { url in
                    Picture(url: url, alt: content.alt?.text(in: language.rawValue) ?? "")
                }, publishedAt: row.publishedAt)
        }
    }
}

extension Content {
    /// Where the picture is served.
    func imagePath(in market: String) -> String? { image.map { CatalogueEntry.imagePath(of: $0, in: market) } }
}
