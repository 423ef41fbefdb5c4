import Foundation

/// A piece of news as a feed tells it.
struct FeedItem: Hashable, Sendable {
    /// In Unicode scalars.
    static let titleLength = 200
    static let bodyLength = 4_000

    /// What tells it from the feed's others: its guid or id, else its address, else its title.
    let id: String
    let title: String
    let body: String
    /// An address that ``ContentLink/isSafe(_:)`` accepts.
    let link: String?
    /// Nil where the feed has none that can be read.
    let publishedAt: Date?

    /// An id that is an address, or a name of the whole Internet, means the same item in each feed. Ids such as `17` are
    /// those of one feed.
    var isKnownEverywhere: Bool { id.prefixMatch(of: /(?i:https?:\/\/|urn:|tag:)./) != nil }
}

/// Reads feeds of RSS (0.91 to 2.0), RDF and Atom.
enum Feed {
    /// The items that are read of a feed; further ones are older.
    static let maximumItems = 50

    /// In the order of the feed. Of items with the same id the first counts; one without a title and without a text is left
    /// out.
    static func items(_ bytes: [UInt8], charset: String?) throws(FeedFault) -> [FeedItem] {
        let root = try FeedXML.read(try FeedText.decoded(bytes, charset: charset))
        let found: [FeedElement]
        switch local(root.name) {
        case "rss":
            guard let channel = root.child("channel") else { throw .unknown }
            // In RSS 0.9x some put items beside the channel.
            found = (channel.children + root.children).filter { $0.name == "item" }
        case "RDF": found = root.children.filter { local($0.name) == "item" }
        case "feed": found = root.children.filter { local($0.name) == "entry" }
        default: throw .unknown
        }
        var seen: Set<String> = []
        var items: [FeedItem] = []
        for element in found where items.count < maximumItems {
            if let item = item(element), seen.insert(item.id).inserted { items.append(item) }
        }
        return items
    }

    private static func item(_ element: FeedElement) -> FeedItem? {
        var title = shown(text("title", of: element)).split(separator: "\n").joined(separator: " ")
        let body = shown(
            text("description", of: element) ?? text("summary", of: element) ?? text("encoded", of: element)
                ?? text("content", of: element))
        if title.isEmpty { title = String(body.prefix { $0 != "\n" }) }
        guard !title.isEmpty else { return nil }
        let link = link(of: element)
        let date = ["pubDate", "published", "date", "updated"].lazy.compactMap { name in
            text(name, of: element).flatMap(FeedDate.read)
        }.first
        let id = text("guid", of: element) ?? text("id", of: element) ?? link ?? title
        return FeedItem(
            id: id, title: FeedText.cut(title, FeedItem.titleLength),
            body: FeedText.cut(body, FeedItem.bodyLength),
            link: link.flatMap { ContentLink.isSafe($0) && $0.hasPrefix("https:") ? $0 : nil }, publishedAt: date)
    }

    private static func shown(_ html: String?) -> String { FeedText.showable(FeedHTML.text(html ?? "")) }

    /// RSS has the address as text, Atom in `href`; of Atom's, that of the page itself.
    private static func link(of element: FeedElement) -> String? {
        let links = element.children.filter { local($0.name) == "link" }
        let own = links.first { $0.attributes["href"] != nil && ["alternate", nil].contains($0.attributes["rel"]) }
        if let address = own?.attributes["href"] { return trimmed(address) }
        if let address = links.compactMap({ trimmed($0.text) }).first { return address }
        guard let guid = element.child("guid"), guid.attributes["isPermaLink"] != "false" else { return nil }
        return trimmed(guid.text)
    }

    private static func text(_ name: String, of element: FeedElement) -> String? {
        // Without a prefix first: `title` goes before `media:title`.
        let found = element.child(name) ?? element.children.first { local($0.name) == name && !isMedia($0.name) }
        return found.flatMap { trimmed($0.text) }
    }

    private static func isMedia(_ name: String) -> Bool { name.hasPrefix("media:") || name.hasPrefix("itunes:") }

    private static func local(_ name: String) -> String { String(name.split(separator: ":").last ?? "") }

    private static func trimmed(_ text: String) -> String? {
        // Elements within the text may have brought marks together.
        let trimmed = FeedText.thinned(text).trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}
