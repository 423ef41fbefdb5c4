import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Postgres
import ServiceKit

/// Routes of pictures: the owner sets one, and everybody who knows its address sees it, since images in a page send no
/// token.
struct AvatarRoutes: Sendable {
    static let upload = "/identity/v1/accounts/me/avatar"

    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/avatar")
            .add(middleware: parts.limits.uploading)
            .group(context: AuthenticatedContext.self)
            .put(use: set)
        router.group("identity/v1/accounts/me/avatar", context: AuthenticatedContext.self)
            .delete(use: remove)
        router.get("identity/v1/avatars/{name}", use: show)
        router.get("identity/v1/markets/{market}/logo", use: logo)
    }

    private func set(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let bytes = try await request.upload(of: FileKind.images, context: context)
        let account = context.caller.accountID
        let avatar = try await parts.changeAvatar.prepare(bytes, for: account)
        try await parts.pool.withTransaction { transaction in
            try await parts.changeAvatar.set(avatar, of: account, at: parts.clock(), in: transaction)
        }
        return try .json(.ok, AvatarView(avatar: AvatarView.path(avatar.name)))
    }

    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await parts.pool.withTransaction { transaction in
            try await parts.changeAvatar.remove(of: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }

    private func show(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let name = context.parameters.get("name") ?? ""
        guard name.utf8.count == 64, name.utf8.allSatisfy(Self.isDigit),
            let row = try await parts.pool.first(FindAvatar(name: name))
        else {
            throw Problem.notFound
        }
        let tag = "\"\(name)\""
        let cache = "public, max-age=31536000, immutable"
        var response = Response.file(
            try await parts.changeAvatar.open(row), mediaType: row.mediaType, name: "avatar", isInline: true,
            cache: cache)
        response.headers[.eTag] = tag
        return response
    }

    /// Whether the byte is a lower-case hexadecimal digit, as in the names that ``ChangeAvatar`` makes. Other names are
    /// not looked up.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// The logo shown for people without a picture: the market's first letter on its colour.
    private func logo(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        guard let market = Market.named(context.parameters.get("market") ?? "") else { throw Problem.notFound }
        var response = Response.cached(
            Array(MarketLogo.svg(of: market).utf8), type: "image/svg+xml", cache: "public, max-age=86400")
        response.headers[.contentDisposition] = "inline; filename=\"\(market.id).svg\""
        response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox; frame-ancestors 'none'"
        return response
    }
}

struct AvatarView: Encodable, Sendable {
    let avatar: String

    static func path(_ name: String) -> String { "/identity/v1/avatars/\(name)" }

    /// The path of the picture, or of the market's logo where there is no picture.
    static func path(_ name: String?, in market: String?) -> String? {
        name.map { path($0) } ?? market.map { "/identity/v1/markets/\($0)/logo" }
    }
}
