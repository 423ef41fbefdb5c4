import Foundation
import Hummingbird
import Messaging
import Metrics
import Postgres
import ServiceKit

/// Routes for photos of parcels (O11) and pictures of dishes (C5): uploaded first, then referenced by id, and shown to
/// callers who may see the parcel or dish.
struct PhotoRoutes: Sendable {
    static let path = "/dispatch/v1/photos"
    /// Per account, since each file is read and stored: 30 at once, then one per 10 s; enough for a whole menu in an
    /// hour.
    static let rate = RateLimit(perSecond: 0.1, burst: 30)

    private let reader: PhotoReader
    private let idempotency: IdempotencyStore
    private let uploading: RateLimitMiddleware
    private let clock: @Sendable () -> Date
    private let upload = UploadPhoto()

    init(orders: OrderRoutes, metrics: any MetricsFactory) {
        reader = PhotoReader(pool: orders.reader.pool, orders: orders.reader)
        idempotency = orders.idempotency
        clock = orders.clock
        uploading = RateLimitMiddleware(group: "upload", Self.rate, by: .caller, metrics: metrics)
    }

    func add(to router: Router<SeraiRequestContext>) {
        router.group("dispatch/v1/photos")
            .add(middleware: uploading)
            .group(context: AuthenticatedContext.self)
            .post { try await store($0, $1) }
        router.group("dispatch/v1/photos", context: AuthenticatedContext.self)
            .get("{id}") { try await show($0, $1) }
    }

    /// The body is the file.
    private func store(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await requireUse(context.caller)
        let once = try await IdempotentRequest(request, context: context)
        let photo = try await upload.prepare(
            try await once.request.upload(of: FileKind.images, context: context))
        return try await idempotency.answer(once) { transaction in
            try await upload.store(photo, of: context.caller.accountID, at: clock(), in: transaction)
            return try .json(.created, PhotoView(photo: photo.id.text), at: "/dispatch/v1/photos/\(photo.id.text)")
        }
    }

    private func show(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let row = try await reader.find(try context.uuid("id"), for: context.caller)
        return .file(row.bytes, mediaType: row.mediaType, name: "photo", isInline: true, cache: "private, max-age=3600")
    }

    /// Only customers (parcels) and owners of restaurants (dishes) may upload.
    ///
    /// - Throws: a 403 ``Problem``.
    private func requireUse(_ caller: Caller) async throws {
        if caller.roles.contains(where: { $0.role == "customer" }) { return }
        let markets = caller.roles.filter { $0.role == "provider" }.map(\.market)
        let has = HasRestaurant(markets: markets, owner: caller.accountID)
        guard try await reader.pool.first(has) == true else { throw Problem.forbidden }
    }
}

struct PhotoView: Encodable, Sendable {
    let photo: String
}

extension PhotoRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .tooMany:
            Problem("too-many-photos", status: .conflict, arguments: ["maximum": String(UploadPhoto.maximumOfOwner)])
        case .notOwn(let field):
            .invalidFields([
                FieldProblem(JSONPointer(field.split(separator: "/").map(String.init)), "not-your-photo")
            ])
        }
    }
}
