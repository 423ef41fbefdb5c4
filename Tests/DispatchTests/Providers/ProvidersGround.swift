import AMQP
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JWTKit
import LiveMarkets
import Logging
import Matching
import Messaging
import Postgres
import SeraiJSON
import Testing
import TestKit

@testable import SeraiDispatch
@testable import ServiceKit

/// The providers' half of one dispatch process, asked without sockets.
struct ProvidersGround: Sendable {
    static let issuer = "https://serai.test/identity"
    static let riyadh = GeoPoint(latitude: 24.7136, longitude: 46.6753)

    let pool: PostgresPool
    let parts: ProviderParts
    let markets: LiveMarkets
    let client: any TestClientProtocol
    let signer: AccessTokenSigner

    /// On a database of its own, without a broker: what is not asked for by a request does not run.
    static func run(
        settings: ProviderParts.Settings = .init(), travelTimes: any TravelTimes = GreatCircleTimes(),
        _ body: @escaping @Sendable (ProvidersGround) async throws -> Void
    ) async throws {
        try await TestDatabase.withDatabase(DispatchService.migrations) { database in
            try await database.withPool { pool in
                try await serve(
                    pool, settings: settings, broker: "amqp://nobody:none@127.0.0.1:1/", travelTimes: travelTimes, body)
            }
        }
    }

    /// Composes the half and a server around it.
    static func serve(
        _ pool: PostgresPool, settings: ProviderParts.Settings, broker: String,
        travelTimes: any TravelTimes = GreatCircleTimes(),
        announce: @escaping AnnounceNearby.Announce = { _, _, _, _ in },
        _ body: @escaping @Sendable (ProvidersGround) async throws -> Void
    ) async throws {
        let logger = TestThreads.logger
        let markets = LiveMarkets(pool: pool, logger: logger)
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in DispatchService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        let parts = try ProviderParts(
            pool: pool, markets: markets, travelTimes: travelTimes,
            cursors: CursorSealer(secret: Redacted(String(repeating: "k", count: 32))), words: catalogue,
            settings: settings, clock: { Date() }, logger: logger,
            broker: { try AMQPConfiguration(url: broker, connectionName: "test \($0)") }, announce: announce)
        let signer = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
        let verifier = await TokenVerifier(
            keys: try TokenKeySet(json: signer.keySetJSON.utf8), issuer: issuer, audience: "serai")
        // A probe may ask often.
        var settings = HTTPSettings()
        settings.callerRate = RateLimit(perSecond: 10_000, burst: 10_000)
        let server = HTTPServer(
            settings: settings, health: Health(logger: logger), registry: PrometheusRegistry(),
            catalogue: catalogue, verifier: verifier, logger: logger
        ) { parts.addRoutes(to: $0) }
        try await server.testApplication.test(.router) { client in
            try await body(
                ProvidersGround(pool: pool, parts: parts, markets: markets, client: client, signer: signer))
        }
    }

    // MARK: Asking

    func get(
        _ path: String, as caller: UUID? = nil, _ role: String = "customer", language: String? = nil
    ) async throws -> ProviderAnswer {
        try await ask(.get, path, caller, role, body: nil, language: language)
    }

    func put(
        _ path: String, _ body: String, as caller: UUID?, _ role: String = "provider"
    ) async throws -> ProviderAnswer {
        try await ask(.put, path, caller, role, body: body)
    }

    func post(
        _ path: String, _ body: String, as caller: UUID?, _ role: String = "provider"
    ) async throws -> ProviderAnswer {
        try await ask(.post, path, caller, role, body: body)
    }

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ caller: UUID?, _ role: String, body: String?,
        language: String? = nil
    ) async throws -> ProviderAnswer {
        var headers: HTTPFields = [:]
        if let caller { headers[.authorization] = "Bearer \(try await token(caller, role))" }
        if let language { headers[.acceptLanguage] = language }
        if body != nil { headers[.contentType] = "application/json" }
        let response = try await client.execute(
            uri: "/dispatch/v1/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        let bytes = Array(response.body.readableBytesView)
        return ProviderAnswer(
            status: response.status.code, json: bytes.isEmpty ? .null : try JSONValue(parsing: bytes))
    }

    private func token(_ caller: UUID, _ role: String) async throws -> String {
        let now = Date().timeIntervalSince1970
        return try await signer.sign(
            AccessTokenClaims(
                sub: caller.text, iss: Self.issuer, aud: "serai", exp: now + 600, nbf: now, iat: now,
                roles: [MarketRole(market: "assef", role: role)], sid: nil))
    }

    // MARK: What there is

    /// Tells dispatch of a provider, as identity would.
    @discardableResult
    func tell(
        _ account: UUID = .timeOrdered(), version: Int = 1, name: String = "Sara", title: String? = "nurse",
        gender: AccountSnapshot.Gender? = .female, isVerified: Bool = true, roles: [AccountSnapshot.Role]? = nil,
        avatar: String? = nil
    ) async throws -> UUID {
        let role = AccountSnapshot.Role(market: "assef", role: "provider", title: title, verified: isVerified)
        let person = AccountSnapshot(
            account: account, version: version, name: name, gender: gender, language: "ar", roles: roles ?? [role],
            avatar: avatar)
        try await pool.withTransaction { try await PeopleProjection.keep(person, by: { .thisMillisecond }, $0) }
        return account
    }

    /// A provider who is available at a place, for what the list asks.
    @discardableResult
    func free(
        _ name: String = "Sara", title: String = "nurse", gender: AccountSnapshot.Gender? = .female,
        metresNorth: Double = 0, prices: [String: Int] = ["wound-care": 10_000], age: Double = 0,
        isSubscribed: Bool = true
    ) async throws -> UUID {
        let account = try await tell(name: name, title: title, gender: gender)
        if isSubscribed { try await subscribe(account, until: 86_400) }
        let list = prices.map { #"{"service":"\#($0.key)","price":\#($0.value)}"# }.joined(separator: ",")
        #expect(try await put("markets/assef/offerings", #"{"offerings":[\#(list)]}"#, as: account).status == 200)
        #expect(try await put("markets/assef/availability", #"{"available":true}"#, as: account).status == 200)
        place(account, metresNorth: metresNorth, age: age)
        return account
    }

    /// As wallet's events are heard.
    func subscribe(_ account: UUID, version: Int = 0, until seconds: Double) async throws {
        try await pool.execute(
            StoreSubscription(
                market: "assef", account: account, version: version, endsAt: Date().addingTimeInterval(seconds)))
    }

    /// As an admin changes a setting of the market.
    func set(_ key: String, _ value: String) async throws {
        try await pool.execute(PutSetting(key: key, value: value))
        try await markets.refresh()
    }

    func place(_ account: UUID, metresNorth: Double, age: Double = 0) {
        let fix = Fix(place: Self.north(metresNorth), at: Date() - age)
        parts.index.put(CollectionOfOne((provider: account, fix: fix)))
    }

    static func north(_ metres: Double) -> GeoPoint {
        let degrees = metres / (UnitVector.earthRadiusMetres * .pi / 180)
        return GeoPoint(latitude: riyadh.latitude + degrees, longitude: riyadh.longitude)
    }

    static let here = "latitude=\(riyadh.latitude)&longitude=\(riyadh.longitude)"

    /// The accounts that a customer is shown, in their order.
    func list(_ query: String = "services=wound-care", as caller: UUID = .timeOrdered()) async throws -> [String] {
        let answer = try await get("markets/assef/providers?\(query)&\(Self.here)", as: caller)
        #expect(answer.status == 200)
        return answer.items.compactMap { $0["provider"]?.asText }
    }

    func order(
        _ id: UUID = .timeOrdered(), state: String, customer: UUID = .timeOrdered(), provider: UUID, isHeld: Bool = true
    ) async throws -> UUID {
        try await pool.withTransaction { transaction in
            transaction.send(
                PutTestOrder(id: id, state: state, customer: customer, provider: provider, place: Self.riyadh))
            transaction.send(HoldTestOrder(provider: provider, order: isHeld ? id : nil))
        }
        return id
    }
}

/// What a request was answered.
struct ProviderAnswer: Sendable {
    let status: Int
    let json: JSONValue

    var slug: String? { json["type"]?.asText.map { String($0.dropFirst("urn:serai:problem:".count)) } }
    var items: [JSONValue] { json["items"]?.asList ?? [] }
    /// The wrong fields and why.
    var codes: [String: String] {
        Dictionary(
            (json["errors"]?.asList ?? []).compactMap { error in
                error["field"]?.asText.flatMap { field in error["code"]?.asText.map { (field, $0) } }
            }
        ) { first, _ in first }
    }
}

extension JSONValue {
    var asText: String? { if case .string(let text) = self { text } else { nil } }
    var asList: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    var asInt: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var asDouble: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension PriceCurrency {
    /// What `assef` begins with.
    static let riyal = PriceCurrency(code: "SAR", first: "SAR")
    /// What `btnc` begins with.
    static let dollar = PriceCurrency(code: "AUD", first: "AUD")
}

private struct PutSetting: Statement {
    static let sql: SQL = """
        INSERT INTO market_settings (market, key, value, version) VALUES ('assef', $1, $2, 1)
        ON CONFLICT (market, key) DO UPDATE SET value = excluded.value
        """
    let key: String
    let value: String
    func bind(_ bindings: inout Bindings) { bindings.append(key, value) }
}
