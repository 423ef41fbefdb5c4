import Foundation
import ServiceKit

@testable import SeraiAdmin

extension Parser {
    static let feeds = [news, html, dates, numbers]

    /// RSS, RDF and Atom in each encoding.
    static let news = Parser(name: "news", maximumBytes: 262_144) { bytes in
        for charset in [nil, "windows-1256"] {
            // try?: most bytes are no feed.
            guard let items = try? Feed.items(bytes, charset: charset) else { continue }
            try require(items.count <= Feed.maximumItems, "\(items.count) items")
            try require(Set(items.map(\.id)).count == items.count, "an id occurs twice")
            for item in items {
                try require(!item.title.isEmpty && !item.title.contains("\n"), "the title \(item.title)")
                try shown(item.title, at: FeedItem.titleLength)
                try shown(item.body, at: FeedItem.bodyLength)
                try require(item.link.map(ContentLink.isSafe) ?? true, "the link \(item.link ?? "")")
                try sensible(item.publishedAt)
            }
        }
    }

    private static func shown(_ text: String, at most: Int) throws {
        try require(text.unicodeScalars.count <= most, "\(text.unicodeScalars.count) scalars")
        try require(FeedText.showable(text) == text, "what cannot be shown: \(text.debugDescription)")
    }

    private static func sensible(_ date: Date?) throws {
        guard let date else { return }
        try require((-86_400.0...7_300_000_000).contains(date.timeIntervalSince1970), "\(date)")
    }

    /// HTML of feeds: its text is no markup.
    static let html = Parser(name: "html") { bytes in
        let read = FeedHTML.text(text(bytes))
        try require(read.utf8.count <= 3 * bytes.count + 8, "it has grown to \(read.utf8.count) bytes")
        for block in ContentText.blocks(FeedHTML.unmarked(read)) {
            for span in block.lines.joined() {
                try require(span.link == nil && span.strong == nil && span.emphasis == nil, "a mark: \(span)")
            }
        }
    }

    /// Dates of feeds.
    static let dates = Parser(name: "dates") { bytes in try sensible(FeedDate.read(text(bytes))) }

    /// The marks of an admin's text. A form takes ten thousand characters.
    static let content = Parser(name: "content") { bytes in
        let text = text(bytes)
        let blocks = ContentText.blocks(text)
        for block in blocks {
            try require(!block.lines.isEmpty, "a block without lines")
            for span in block.lines.joined() {
                try require(span.link.map(ContentLink.isSafe) ?? true, "the link \(span.link ?? "")")
                try require(!span.text.isEmpty, "a span without a text")
            }
        }
        try require(ContentText.summary(text).count <= 160, "a long summary")
        _ = (ContentText.plain(text), ContentText.refusedLinks(text))
    }

    /// Parts of orders' numbers.
    static let numbers = Parser(name: "numbers", maximumBytes: 1_024) { bytes in
        guard let number = OrderNumber(text(bytes)) else { return }
        try require(number.first.uuidString <= number.last.uuidString, "\(number)")
        try require([0, OrderNumber.shownDigits].contains(number.ending.count), "it ends with \(number.ending)")
    }

    /// Open-Meteo's forecast.
    static let weather = Parser(name: "weather") { bytes in
        // try?: most texts are refused.
        guard let report = try? OpenMeteo.read(Data(bytes)) else { return }
        try require((0...100).contains(report.humidityPercent), "\(report.humidityPercent) % of humidity")
        try require((1...OpenMeteo.days).contains(report.days.count), "\(report.days.count) days")
    }
}
