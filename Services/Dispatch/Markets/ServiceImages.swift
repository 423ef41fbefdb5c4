import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// The pictures of service types and services (C1): line drawings, which need no licence and no second request.
enum ServiceImages {
    /// - Returns: where the picture is.
    static func path(_ image: String, in market: Market) -> String {
        CatalogueEntry.imagePath(of: image, in: market.id)
    }

    /// The drawing of a file that the market names, such as `meals.svg`; nil for other names. The plain one and those of the
    /// market's file are always there: a page may have been read before its admins changed the picture.
    static func svg(_ image: String, in market: Market) -> String? {
        let named = [market, Market.named(market.id) ?? market].flatMap(\.serviceTypes).flatMap {
            [$0.image] + $0.services.map(\.image)
        }
        guard named.contains(image) || image == Market.plainImage, image.hasSuffix(".svg"),
            let lines = drawings[String(image.dropLast(4))]
        else {
            return nil
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64" fill="none" \
            stroke="#0f766e" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path d="\(lines)"/></svg>
            """
    }

    /// `GET dispatch/v1/markets/{market}/images/{image}`
    static func answer(_ context: SeraiRequestContext, _ market: Market) throws -> Response {
        guard let drawing = svg(context.parameters.get("image") ?? "", in: market) else { throw Problem.notFound }
        var response = Response.cached(
            Array(drawing.utf8), type: "image/svg+xml", cache: "public, max-age=86400")
        response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox; frame-ancestors 'none'"
        return response
    }

    /// Paths on a square of 64, by the name of the file.
    private static let drawings = [
        "nursing":
            "M32 54C12 42 8 28 14 20c5-7 14-6 18 2 4-8 13-9 18-2 6 8 2 22-18 34zM32 26v14M25 33h14",
        "wound-care":
            "M14 38 38 14a8.5 8.5 0 0 1 12 12L26 50a8.5 8.5 0 0 1-12-12zM24 28l12 12M30 30v4M34 30v4",
        "injection":
            "M40 10l14 14M47 17 36 28M22 30l12 12 14-14-12-12zM28 36l-4 4M34 30l-4 4M22 42 10 54",
        "vital-signs":
            "M6 34h12l5-14 9 26 8-20 4 8h14",
        "physiotherapy":
            "M32 16a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM32 18v18M32 24 16 30M32 24l16-8M32 36 20 54M32 36l14 16",
        "physiotherapy-session":
            "M20 18a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM20 20v18h16l8 14M20 28h14M10 54h44",
        "care":
            "M32 34C24 28 22 22 25 18c2-3 6-2 7 1 1-3 5-4 7-1 3 4 1 10-7 16zM8 44c6-4 10-2 14 2h12c4 0 4 6 0 6H24M34 48l14-6c4-2 7 2 4 5L36 56H8",
        "household":
            "M8 32 32 10l24 22M14 28v26h36V28M26 54V40h12v14",
        "companionship":
            "M22 26a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM42 26a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM8 52c0-12 6-20 14-20s10 6 10 6 2-6 10-6 14 8 14 20z",
        "personal-care":
            "M12 34h40v4c0 9-7 16-16 16h-8c-9 0-16-7-16-16zM18 34V16c0-6 10-6 10 0M24 20h8M20 54l-2 4M44 54l2 4",
        "foot-care":
            "M24 6v28c0 6-12 10-14 16-1 4 2 8 8 8h12c8 0 8-6 12-12 3-5 4-10 2-40M16 52v6M24 52v6",
        "childcare":
            "M32 34a12 12 0 1 0 0-24 12 12 0 0 0 0 24zM28 20v2M36 20v2M27 26c3 4 7 4 10 0M14 56c0-12 8-18 18-18s18 6 18 18z",
        "housekeeping":
            "M44 8 32 32M24 32h18l4 24H16zM24 56l2-12M34 56v-12",
        "meals":
            "M18 8v16c0 4 3 6 6 6s6-2 6-6V8M24 8v48M46 56V8c-6 2-8 10-8 18 0 6 3 8 8 8",
        "service":
            "M32 8l6 14 15 2-11 10 3 15-13-8-13 8 3-15L11 24l15-2z",
        "errands":
            "M14 22h36l-4 34H18zM22 22c0-14 20-14 20 0M22 30v2M42 30v2",
    ]
}
