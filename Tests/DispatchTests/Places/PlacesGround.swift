import AsyncHTTPClient
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JWTKit
import LiveMarkets
import Matching
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

/// The part of one dispatch process that knows places, asked without sockets.
struct PlacesGround: Sendable {
    static let issuer = "https://serai.test/identity"
    /// Perth's middle.
    static let perth = GeoPoint(latitude: -31.9523, longitude: 115.8613)
    /// Asks for a way of some hundred metres.
    static let wayBody = """
        {"from": {"latitude": -31.9523, "longitude": 115.8613}, "to": {"latitude": -31.9505, "longitude": 115.8605},
         "profile": "walking"}
        """

    let database: TestDatabase
    let pool: PostgresPool
    let markets: LiveMarkets
    let index: PositionIndex
    let client: any TestClientProtocol
    let signer: AccessTokenSigner
    let parts: PlaceParts

    static func run(
        _ settings: [String: String] = [:], _ body: @escaping @Sendable (PlacesGround) async throws -> Void
    ) async throws {
        try await TestDatabase.withDatabase(DispatchService.migrations) { database in
            try await database.withPool(maximum: 8) { pool in
                let logger = TestThreads.logger
                let markets = LiveMarkets(pool: pool, logger: logger)
                let index = PositionIndex()
                let visits = OrderVisit(orderCare: OrderOperations(markets: markets).orderCare)
                let secret = Redacted(String(repeating: "k", count: 32))
                let outside = try PlaceParts.Outside(
                    url: settings["routing"], walking: settings["walking"], geocoder: settings["geocoder"],
                    logger: logger)
                let parts = PlaceParts(
                    pool: pool, markets: markets, candidates: CandidateSearch(index: index, freshness: 120) { Date() },
                    outside: outside, idempotency: IdempotencyStore(pool: pool, secret: secret),
                    cursors: CursorSealer(secret: secret), seal: PlaceSeal(secret: secret), catalogue: try catalogue(),
                    clock: { .thisMillisecond },
                    requestVisit: { try await visits.request($0, $1, now: $2, in: $3) },
                    checkVisit: { try await visits.check($0, at: $1, now: $2, in: $3) })
                do {
                    try await serve(database, pool, markets, index, parts, body)
                } catch {
                    try await outside.client.shutdown()
                    throw error
                }
                try await outside.client.shutdown()
            }
        }
    }

    private static func serve(
        _ database: TestDatabase, _ pool: PostgresPool, _ markets: LiveMarkets, _ index: PositionIndex,
        _ parts: PlaceParts,
        _ body: @escaping @Sendable (PlacesGround) async throws -> Void
    ) async throws {
        let logger = TestThreads.logger
        let signer = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
        let verifier = await TokenVerifier(
            keys: try TokenKeySet(json: signer.keySetJSON.utf8), issuer: issuer, audience: "serai")
        var http = HTTPSettings()
        http.callerRate = RateLimit(perSecond: 1e6, burst: 1_000_000)
        http.addressRate = http.callerRate
        let server = HTTPServer(
            settings: http, health: Health(logger: logger), registry: PrometheusRegistry(), catalogue: try catalogue(),
            verifier: verifier, logger: logger
        ) { router in
            router.add(middleware: KeyBoundaryMiddleware(owners: KeyOwners.all(pool)))
            parts.addRoutes(to: router)
        }
        try await server.testApplication.test(.router) { client in
            try await body(
                PlacesGround(
                    database: database, pool: pool, markets: markets, index: index, client: client, signer: signer,
                    parts: parts))
        }
    }

    private static func catalogue() throws -> ProblemCatalogue {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in DispatchService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        return catalogue
    }

    // MARK: Asking

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, as caller: UUID?,
        _ roles: [String] = ["customer"], in market: String = "btnc", key: String = UUID().uuidString,
        language: String = "en", scopes: [String]? = nil
    ) async throws -> ProviderAnswer {
        var headers: HTTPFields = [.acceptLanguage: language]
        if let caller { headers[.authorization] = "Bearer \(try await token(caller, roles, market, scopes))" }
        if method == .post || method == .put { headers[.idempotencyKey] = key }
        if body != nil { headers[.contentType] = "application/json" }
        let response = try await client.execute(
            uri: "/dispatch/v1/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        let bytes = Array(response.body.readableBytesView)
        return ProviderAnswer(
            status: response.status.code, json: bytes.isEmpty ? .null : try JSONValue(parsing: bytes))
    }

    private func token(_ caller: UUID, _ roles: [String], _ market: String, _ scopes: [String]?) async throws -> String
    {
        let now = Date().timeIntervalSince1970
        return try await signer.sign(
            AccessTokenClaims(
                sub: caller.text, iss: Self.issuer, aud: "serai", exp: now + 600, nbf: now, iat: now,
                roles: roles.map { MarketRole(market: market, role: $0) }, sid: nil, scopes: scopes))
    }

    // MARK: What there is

    /// Tells dispatch of a provider, as identity would.
    @discardableResult
    func tell(
        _ account: UUID = .timeOrdered(), version: Int = 1, title: String, isVerified: Bool = true,
        in market: String = "btnc", vehicle: String? = nil
    ) async throws -> UUID {
        let role = AccountSnapshot.Role(
            market: market, role: "provider", title: title, verified: isVerified, vehicle: vehicle)
        let person = AccountSnapshot(
            account: account, version: version, name: "Robin", gender: nil, language: "en", roles: [role])
        try await pool.withTransaction { try await PeopleProjection.keep(person, by: { .thisMillisecond }, $0) }
        return account
    }

    /// A driver who waits at a place.
    @discardableResult
    func driver(metresNorth: Double = 0, title: String = "driver", vehicle: String? = nil) async throws -> UUID {
        let account = try await tell(title: title, vehicle: vehicle)
        try await pool.execute(SetAvailability(market: "btnc", account: account, isAvailable: true))
        index.put(CollectionOfOne((provider: account, fix: Fix(place: Self.north(metresNorth), at: Date()))))
        return account
    }

    static func north(_ metres: Double) -> GeoPoint {
        let degrees = metres / (UnitVector.earthRadiusMetres * .pi / 180)
        return GeoPoint(latitude: perth.latitude + degrees, longitude: perth.longitude)
    }

    /// `{"latitude": …, "longitude": …}`
    static func json(_ point: GeoPoint) -> String {
        #"{"latitude":\#(point.latitude),"longitude":\#(point.longitude)}"#
    }

    static func query(_ point: GeoPoint) -> String { "latitude=\(point.latitude)&longitude=\(point.longitude)" }

    func set(_ key: MarketSettings.Key, to value: String) async throws {
        try await pool.execute(PutMarketSetting(market: "btnc", key: key.rawValue, value: value))
        try await markets.refresh()
    }
}

struct PutMarketSetting: Statement {
    static let sql: SQL = """
        INSERT INTO market_settings (market, key, value, version) VALUES ($1, $2, $3, 1)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value, version = market_settings.version + 1
        """
    let market: String
    let key: String
    let value: String
    func bind(_ bindings: inout Bindings) { bindings.append(market, key, value) }
}
