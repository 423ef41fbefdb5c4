import Contracts
import Foundation
import Testing

@testable import SeraiAdmin

@Suite("H4: how feeds are read")
struct FeedRuleTests {
    private static func rss(_ items: String) -> [UInt8] {
        Array(#"<?xml version="1.0"?><rss version="2.0"><channel><title>Town</title>\#(items)</channel></rss>"#.utf8)
    }

    private static func titles(_ bytes: [UInt8], charset: String? = nil) throws -> [String] {
        try Feed.items(bytes, charset: charset).map(\.title)
    }

    @Test("H4: of RSS come title, text without markup, address and time, and each id once")
    func rss() throws {
        let items = try Feed.items(
            Self.rss(
                """
                <!-- a comment --><item><media:title>Other</media:title><title><![CDATA[Gates & <b>bridges</b>]]></title>
                <link> https://news.example/1?a=1&amp;b=2 </link><guid isPermaLink="false">one</guid>
                <pubDate>Sat, 28 Nov 2026 10:15:00 +0300</pubDate>
                <description>&lt;p&gt;First&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;p&gt;Second&amp;nbsp;*x*&lt;/p&gt;</description></item>
                <item><guid>one</guid><title>The same again</title></item>
                <item><guid isPermaLink="true">http://news.example/2</guid><description>1 &lt; 2</description></item>
                <item><title> </title></item>
                """), charset: nil)
        #expect(items.map(\.title) == ["Gates & bridges", "1 < 2"])
        #expect(items.map(\.id) == ["one", "http://news.example/2"])
        #expect(items[0].body == "First\n\nSecond *x*")
        // An address without TLS is no link.
        #expect(items.map(\.link) == ["https://news.example/1?a=1&b=2", nil])
        #expect(items.map(\.publishedAt) == [Date(timeIntervalSince1970: 1_795_850_100), nil])
    }

    @Test("H4: of Atom comes the page's own address, and XHTML is text")
    func atom() throws {
        let items = try Feed.items(
            Array(
                """
                <feed xmlns="http://www.w3.org/2005/Atom"><title>Town</title><entry><id>urn:1</id>
                <title type="html">Left &amp;amp; right</title><link rel="self" href="https://news.example/self"/>
                <link href='https://news.example/page'/><updated>2026-11-28T10:15:00.5Z</updated>
                <published>2026-11-28T00:00:00+03:00</published>
                <content type="xhtml"><div><p>Hello <b>w</b>orld</p><p>again</p></div></content></entry></feed>
                """.utf8), charset: nil)
        #expect(items.map(\.title) == ["Left & right"])
        #expect(items.map(\.link) == ["https://news.example/page"])
        #expect(items.map(\.body) == ["Hello world again"])
        #expect(items.map(\.publishedAt) == [Date(timeIntervalSince1970: 1_795_813_200)])
    }

    @Test("H4: the mark, the header or the declaration says how a feed is encoded")
    func encodings() throws {
        let head = Array("<?xml version='1.0' encoding='windows-1256'?><rss><channel><item><title>".utf8)
        let foot = Array("</title></item></channel></rss>".utf8)
        #expect(try Self.titles(head + [0xCE, 0xC8, 0xD1] + foot) == ["خبر"])
        #expect(try Self.titles(Self.rss("<item><title>é</title></item>")) == ["é"])
        let plain = Array("<rss><channel><item><title>caf".utf8)
        #expect(try Self.titles(plain + [0xE9] + foot, charset: "ISO-8859-1") == ["café"])
        #expect(throws: FeedFault.encoding) { try Self.titles(plain + [0xE9] + foot) }
        #expect(throws: FeedFault.encoding) { try Self.titles(plain + foot, charset: "koi8-r") }
        #expect(try Self.titles([0xEF, 0xBB, 0xBF] + plain + foot, charset: "koi8-r") == ["caf"])
        let units = "<rss><channel><item><title>خبر</title></item></channel></rss>".utf16
        var (big, little): ([UInt8], [UInt8]) = ([0xFE, 0xFF], [0xFF, 0xFE])
        for unit in units {
            big += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            little += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        #expect(try Self.titles(big) == ["خبر"])
        #expect(try Self.titles(little) == ["خبر"])
        #expect(throws: FeedFault.encoding) { try Self.titles(Array(little.dropLast())) }
    }

    @Test(
        "H4: what is broken, declares entities or is no feed is named",
        arguments: [
            ("", FeedFault.malformed), ("<rss>", .malformed), ("<a><b></a></b>", .malformed),
            ("<rss/><rss/>", .malformed),
            ("<rss><channel><item a=1></item></channel></rss>", .malformed),
            ("<rss><channel><![CDATA[x</channel></rss>", .malformed),
            (#"<!DOCTYPE rss [<!ENTITY x "y">]><rss><channel/></rss>"#, .malformed),
            (String(repeating: "<a>", count: 30) + String(repeating: "</a>", count: 30), .malformed),
            ("<html><body/></html>", .unknown), ("<rss></rss>", .unknown),
        ])
    func broken(text: String, fault: FeedFault) {
        #expect(throws: fault) { try Feed.items(Array(text.utf8), charset: nil) }
    }

    @Test(
        "H4: an entity that is not known stays as it is written, and a document type without declarations is passed over"
    )
    func entities() throws {
        let text =
            "<!DOCTYPE rss><rss><channel><item><title>a &amp; &#x41;&#0; &unknown;</title></item></channel></rss>"
        #expect(try Self.titles(Array(text.utf8)) == ["a & A&#0; &unknown;"])
    }

    @Test(
        "H4: dates of RFC 822 and RFC 3339 are read, and what people write for them",
        arguments: [
            ("Sat, 28 Nov 2026 10:15:00 +0300", 1_795_850_100.0), ("28 Nov 26 10:15 GMT", 1_795_860_900),
            ("Sat, 28 Nov 2026 10:15:00 EST", 1_795_878_900), ("Saturday, 28-Nov-26 10:15:00 GMT", 1_795_860_900),
            ("2026-11-28", 1_795_824_000), ("2026-11-28T10:15:00Z", 1_795_860_900),
            ("2026-11-28 10:15:00", 1_795_860_900), ("2026-11-28T10:15:00.25+03:00", 1_795_850_100),
        ])
    func dates(text: String, seconds: Double) {
        #expect(FeedDate.read(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "H4: no day is made of one that there is not",
        arguments: [
            "yesterday", "", "31 Jun 2026 10:00:00 GMT", "2026-02-30T00:00:00Z", "Sat, 28 Nov 2026 24:15:00 GMT",
            "2026-11-28T10:15:00+99:00", "28 Foo 2026 10:00:00 GMT",
        ])
    func noDates(text: String) {
        #expect(FeedDate.read(text) == nil)
    }

    @Test("H4: a feed's marks are shown as they are, and its address is a link")
    func marks() {
        let feed = FeedSettings(
            url: "https://news.example/rss", group: "local", language: "en", publishes: true, active: true)
        let item = FeedItem(
            id: "1", title: "T\u{202E}itle", body: "# No *heading* [x](javascript:1)",
            link: "https://news.example/a_(b)", publishedAt: nil)
        let content = ImportFeeds.content(item, feed)
        #expect(content.title.text(in: "en") == "Title")
        let blocks = ContentText.blocks(content.body.text(in: "en"))
        #expect(blocks.map(\.kind) == [.paragraph, .paragraph])
        #expect(blocks[0].lines == [[ContentSpan(text: "# No *heading* [x](javascript:1)")]])
        #expect(blocks[1].lines == [[ContentSpan(text: "news.example", link: "https://news.example/a_%28b%29")]])
    }

    @Test("H4: long texts are cut at a word, and at most fifty items are read")
    func limits() throws {
        let long = String(repeating: "word ", count: 2_000)
        let items = try Feed.items(
            Self.rss(
                (0..<80).map { "<item><guid>\($0)</guid><title>\($0)</title><description>\(long)</description></item>" }
                    .joined()), charset: nil)
        #expect(items.count == Feed.maximumItems)
        #expect(items[0].body.count <= FeedItem.bodyLength && items[0].body.hasSuffix("word…"))
    }

    @Test("H4, Q6: characters of many scalars are cut, and what cannot be shown is dropped")
    func unseen() throws {
        let long = String(repeating: "\u{1100}", count: 300_000)
        let items = try Feed.items(
            Self.rss(
                "<item><guid>1</guid><title>A\u{0}\u{1}\r\nB&#x85;\u{2028}C\u{E000}</title>"
                    + "<description>\(long)\u{0}</description></item>"), charset: nil)
        #expect(items.map(\.title) == ["A B C"])
        #expect(items[0].body.unicodeScalars.count <= FeedItem.bodyLength)
    }

    @Test("H4, Q6: of the marks over one letter thirty stay, also of those that elements or references stood between")
    func manyMarks() throws {
        let pair = "\u{301}\u{323}"
        let many = String(repeating: pair, count: 1_000)
        let between = String(repeating: "<b></b>\(pair)", count: 1_000)
        let references = String(repeating: "&#x301;&#x323;", count: 1_000)
        let items = try Feed.items(
            Self.rss(
                "<item><guid>1\(many)</guid><title>a\(many)</title><description><![CDATA[b\(between)]]></description></item>"
                    + "<item><guid>2</guid><title>c\(references)</title></item>"), charset: nil)
        let texts = items.flatMap { [$0.id, $0.title, $0.body] }.filter { !$0.isEmpty }
        #expect(texts.count == 5)
        for text in texts { #expect(text.unicodeScalars.count <= 1 + FeedText.maximumMarks) }
        #expect(throws: FeedFault.malformed) {
            try Feed.items(Self.rss("<\(String(repeating: "n", count: 300))/>"), charset: nil)
        }
    }

    @Test(
        "H4, Q6: a feed of elements that never end, or of more items than are read, is read in the time of its length")
    func slow() throws {
        let begun = String(repeating: "<p><script", count: 9_000)
        let feed = (0..<20).map {
            "<item><guid>\($0)</guid><title>\($0)</title><description><![CDATA[\(begun)]]></description></item>"
        }.joined()
        let began = ContinuousClock.now
        #expect(try Feed.items(Self.rss(feed), charset: nil).count == 20)
        // One after another they were searched from each bracket on.
        #expect(FeedHTML.text(String(repeating: "<script></scrip ", count: 6_000)).isEmpty)
        #expect(FeedHTML.text(String(repeating: "<!--é-->", count: 9_000)).isEmpty)
        // A generous deadline: as it was, this took minutes.
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    @Test("H4: an address is an id everywhere, a number is the feed's own")
    func ids() {
        func isKnown(_ id: String) -> Bool {
            FeedItem(id: id, title: "T", body: "", link: nil, publishedAt: nil).isKnownEverywhere
        }
        #expect(["https://news.example/1", "HTTP://a/b", "urn:uuid:1", "tag:news.example,2020:1"].allSatisfy(isKnown))
        #expect(!["17", "item:17", "Title", "https://"].contains(where: isKnown))
    }
}
