import Contracts

/// The address of a page in a language; `x-default` for the one that chooses the reader's.
struct SiteAddress: Sendable {
    let code: String
    let address: String
    /// What the language calls itself.
    let name: String

    init(_ code: String, _ address: String) {
        (self.code, self.address) = (code, address)
        name = SiteWords.name(of: code)
    }
}

/// A page of the website as its template reads it. No two values within one another have the same name, because a
/// template takes what is missing within from without.
struct SitePage: Sendable {
    struct Link: Sendable {
        let address: String
        let name: String
        let isHere: Bool
    }

    struct Entry: Sendable {
        let title: String
        /// False where the title is the page's heading.
        let isNamed: Bool
        /// The address of its picture.
        let picture: String?
        let alt: String
        let blocks: [Block]
    }

    struct Block: Sendable {
        let isHeading: Bool
        let isSubheading: Bool
        let isParagraph: Bool
        let isList: Bool
        let isNumbered: Bool
        let lines: [Line]
    }

    struct Line: Sendable { let spans: [Span] }

    struct Span: Sendable {
        let text: String
        let link: String?
        let isStrong: Bool
        let isEmphasis: Bool
        let isPlain: Bool
    }

    let language: String
    let direction: String
    /// The class of the look: the market's id, or `serai`.
    let look: String
    let siteName: String
    let style: String
    let words: SiteWords
    var heading: String
    var summary: String?
    var canonical: String?
    var alternates: [SiteAddress] = []
    /// The same page in the other languages.
    var languages: [SiteAddress] = []
    /// The address of the market's first page.
    var start = "/"
    var pages: [Link] = []
    var hasPages = false
    var isMissing = false
    var isEmpty = false
    var isQuestions = false
    var entries: [Entry] = []
    /// The address of the web app.
    var app: String?
    /// Where people write to the market's admins.
    var help: String?
}

/// All pages of the website.
struct SiteMap: Sendable {
    struct Page: Sendable {
        let loc: String
        let alternates: [SiteAddress]
    }

    let pages: [Page]
}

extension SitePage.Entry {
    /// - Parameter isNamed: whether the title stands above it as a heading of its own; headings in the text are one deeper then.
    init(_ content: Content, of market: String, in language: String, isNamed: Bool) {
        picture = content.imagePath(in: market)
        alt = content.alt?.text(in: language) ?? ""
        title = content.title.text(in: language)
        self.isNamed = isNamed
        blocks = ContentText.blocks(content.body.text(in: language)).map { block in
            SitePage.Block(
                isHeading: block.kind == .heading && !isNamed, isSubheading: block.kind == .heading && isNamed,
                isParagraph: block.kind == .paragraph, isList: block.kind == .list,
                isNumbered: block.kind == .numbered,
                lines: block.lines.map { SitePage.Line(spans: $0.map(SitePage.Span.init)) })
        }
    }
}

extension SitePage.Span {
    init(_ span: ContentSpan) {
        (text, link) = (span.text, span.link)
        let isLink = span.link != nil
        isStrong = !isLink && span.strong == true
        isEmphasis = !isLink && !isStrong && span.emphasis == true
        isPlain = !isLink && !isStrong && !isEmphasis
    }
}
