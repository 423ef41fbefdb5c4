import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Postgres
import ServiceKit

/// The public website: for each market and language its start, about, privacy, terms, questions and contact, from what
/// the market's admins have published (A4).
struct SiteRoutes: Sendable {
    static let urlKey = ConfigurationKey<String>(
        "site.url", "The address that people know the website and the web app by, without a slash at the end.",
        default: "https://serai.example")
    static let root = "/site"
    /// Nothing but the style sheet and pictures of this site; no program at all.
    static let policy =
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; "
        + "frame-ancestors 'none'"
    static let cache = "public, max-age=300"

    let routes: AdminRoutes

    func add(to router: Router<SeraiRequestContext>) {
        router.get("site/style.css", use: style)
        router.get("site/robots.txt", use: robots)
        router.get("site/sitemap.xml", use: map)
        router.get("site/{market}", use: choose)
        router.get("site/{market}/{language}", use: start)
        router.get("site/{market}/{language}/{page}", use: page)
    }

    @Sendable func style(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        .cached(PackageResources.site_css, type: "text/css; charset=utf-8", cache: "public, max-age=86400")
    }

    @Sendable func robots(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        // The app has nothing for search engines: it asks for an account, and its pages are programs.
        let text = "User-agent: *\nAllow: /site/\nDisallow: /\nSitemap: \(routes.siteURL)/sitemap.xml\n"
        return .cached(Array(text.utf8), type: "text/plain; charset=utf-8", cache: Self.cache)
    }

    @Sendable func map(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        var pages: [SiteMap.Page] = []
        for market in Market.all {
            let languages = try await routes.inForce(in: market).languages
            for part in SitePart.allCases {
                let alternates = alternates(of: part, market, languages)
                for language in languages {
                    pages.append(SiteMap.Page(loc: address(of: part, market, language), alternates: alternates))
                }
            }
        }
        let text = try SiteTemplates.map(SiteMap(pages: pages))
        return .cached(Array(text.utf8), type: "application/xml; charset=utf-8", cache: Self.cache)
    }

    /// `GET /site/{market}`: the start in the reader's language.
    @Sendable func choose(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        guard let market = Market.named(context.parameters.get("market") ?? "") else {
            return try missing(in: nil, ["en", "ar"], context)
        }
        let languages = try await routes.inForce(in: market).languages
        let language = Self.language(of: context, among: languages)
        return Response(
            status: .seeOther,
            headers: [
                .location: path(of: .start, market, language), .cacheControl: "no-cache", .vary: "Accept-Language",
            ])
    }

    @Sendable func start(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        try await answer(.start, context)
    }

    @Sendable func page(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        try await answer(SitePart(named: context.parameters.get("page") ?? ""), context)
    }

    // MARK: Pages

    private func answer(_ part: SitePart?, _ context: SeraiRequestContext) async throws -> Response {
        guard let market = Market.named(context.parameters.get("market") ?? "") else {
            return try missing(in: nil, ["en", "ar"], context)
        }
        let languages = try await routes.inForce(in: market).languages
        guard let part, let language = context.parameters.get("language"), languages.contains(language) else {
            return try missing(in: market, languages, context)
        }
        let rows = try await routes.pool.query(
            ListPublishedContent(market: market.id, section: part.section, at: routes.clock()))
        let entries = rows.compactMap { Content(stored: $0.text) }
        return try Self.response(page(part, of: market, in: language, languages, entries), .ok)
    }

    private func page(
        _ part: SitePart, of market: Market, in language: String, _ languages: [String], _ entries: [Content]
    ) -> SitePage {
        var page = frame(market, in: language, languages, at: part)
        // Of one text the title is the page's; a question never is.
        let isOne = entries.count == 1 && part != .faq
        page.heading =
            isOne || part == .start
            ? entries.first?.title.text(in: language) ?? market.name.text(in: language) : part.name(in: language)
        page.entries = entries.enumerated().map { index, content in
            SitePage.Entry(
                content, of: market.id, in: language, isNamed: !isOne && !(part == .start && index == 0))
        }
        page.summary = entries.first.map { ContentText.summary($0.body.text(in: language)) }
        page.canonical = address(of: part, market, language)
        page.alternates = alternates(of: part, market, languages)
        page.isEmpty = entries.isEmpty && part != .start && part != .contact
        page.isQuestions = part == .faq
        if part == .start || part == .contact { page.app = "/\(market.id)/" }
        if part == .contact { page.help = "/\(market.id)/help" }
        return page
    }

    /// A page without its text: the market's name, the other pages, the other languages.
    private func frame(_ market: Market?, in language: String, _ languages: [String], at part: SitePart?) -> SitePage {
        let name = market?.name.text(in: language) ?? "Serai"
        var page = SitePage(
            language: language, direction: language == "ar" ? "rtl" : "ltr", look: market?.id ?? "serai",
            siteName: name, style: "\(Self.root)/style.css", words: .of(language), heading: name)
        guard let market else { return page }
        page.start = path(of: .start, market, language)
        page.pages = SitePart.allCases.map { other in
            SitePage.Link(
                address: path(of: other, market, language), name: other.name(in: language), isHere: other == part)
        }
        page.hasPages = true
        page.languages = languages.filter { $0 != language }.map {
            SiteAddress($0, path(of: part ?? .start, market, $0))
        }
        return page
    }

    private func missing(
        in market: Market?, _ languages: [String], _ context: SeraiRequestContext
    ) throws -> Response {
        let named = context.parameters.get("language") ?? ""
        let language = languages.contains(named) ? named : Self.language(of: context, among: languages)
        var page = frame(market, in: language, languages, at: nil)
        page.heading = page.words.notFound
        page.isMissing = true
        var response = try Self.response(page, .notFound)
        response.headers[.eTag] = nil
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private static func response(_ page: SitePage, _ status: HTTPResponse.Status) throws -> Response {
        var response = Response.cached(
            Array(try SiteTemplates.page(page).utf8), type: "text/html; charset=utf-8", cache: cache)
        response.status = status
        response.headers[.contentLanguage] = page.language
        response.headers[.contentSecurityPolicy] = policy
        return response
    }

    private static func language(of context: SeraiRequestContext, among languages: [String]) -> String {
        context.language(among: languages.compactMap(Language.init(rawValue:))).rawValue
    }

    // MARK: Addresses

    private func path(of part: SitePart, _ market: Market, _ language: String) -> String {
        "\(Self.root)/\(market.id)/\(language)\(part.path)"
    }

    private func address(of part: SitePart, _ market: Market, _ language: String) -> String {
        routes.siteURL + path(of: part, market, language)
    }

    private func alternates(of part: SitePart, _ market: Market, _ languages: [String]) -> [SiteAddress] {
        let each = languages.map { SiteAddress($0, address(of: part, market, $0)) }
        // Only the start chooses a language by itself.
        return part == .start ? each + [SiteAddress("x-default", "\(routes.siteURL)\(Self.root)/\(market.id)")] : each
    }
}

extension Feature {
    static func site(_ routes: AdminRoutes) -> Feature {
        Feature("site", routes: { SiteRoutes(routes: routes).add(to: $0.router) })
    }
}
