import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JWTKit
import Logging
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

/// The routes of orders on a database, with tokens to call them by.
struct OrderServer: Sendable {
    static let issuer = "https://serai.test/identity"
    static let audience = "serai"

    /// Somebody with a token.
    struct Person: Sendable {
        let account: UUID
        let token: String
    }

    let world: OrderWorld
    let signer: AccessTokenSigner
    let client: any TestClientProtocol

    static func with(_ body: @escaping @Sendable (OrderServer) async throws -> Void) async throws {
        let signer = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
        try await OrderWorld.with { world in try await serve(world, signer, body) }
    }

    /// Another process on the same database, which takes the same tokens.
    func withAnotherProcess(_ body: @escaping @Sendable (OrderServer) async throws -> Void) async throws {
        try await world.withAnotherProcess { other in try await Self.serve(other, signer, body) }
    }

    private static func serve(
        _ world: OrderWorld, _ signer: AccessTokenSigner,
        _ body: @escaping @Sendable (OrderServer) async throws -> Void
    ) async throws {
        let verifier = await TokenVerifier(
            keys: try TokenKeySet(json: signer.keySetJSON.utf8), issuer: issuer, audience: audience)
        var settings = HTTPSettings()
        settings.callerRate = RateLimit(perSecond: 1e6, burst: 1_000_000)
        settings.addressRate = settings.callerRate
        settings.routeBodyLimitBytes = [PhotoRoutes.path: UploadPhoto.maximumBytes]
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in DispatchService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let routes = Self.routes(world)
        let server = HTTPServer(
            settings: settings, health: Health(logger: logger), registry: PrometheusRegistry(),
            catalogue: catalogue, verifier: verifier, logger: logger
        ) { router in
            router.add(middleware: KeyBoundaryMiddleware(owners: KeyOwners.all(world.pool)))
            routes.add(to: router)
            let group = router.group("dispatch/v1", context: AuthenticatedContext.self)
            BoardRoutes(orders: routes, markets: world.markets).add(to: group)
            OrderFileRoutes(orders: routes).add(to: group)
            ParcelRoutes(orders: routes, markets: world.markets).add(to: group)
            AlongRoutes(orders: routes, markets: world.markets).add(to: group)
            EarningRoutes(markets: world.markets, pool: world.pool, clock: routes.clock).add(to: group)
            CareRoutes(orders: routes, markets: world.markets).add(to: group)
            DeskRoutes(markets: world.markets, pool: world.pool, clock: routes.clock).add(to: group)
            PreferredPartnerRoutes(pool: world.pool, cursors: routes.cursors, markets: world.markets).add(to: group)
            RideRoutes(orders: routes, markets: world.markets).add(to: group)
            MealRoutes(orders: routes, markets: world.markets).add(to: group)
            HireTests.routes(world, routes).add(to: router)
            HireTests.bikes(world, routes).add(to: router)
            RestaurantRoutes(
                markets: world.markets, pool: world.pool, idempotency: routes.idempotency, cursors: routes.cursors,
                clock: routes.clock
            )
            .add(to: router)
            PhotoRoutes(orders: routes, metrics: PrometheusRegistry()).add(to: router)
        }
        try await server.testApplication.test(.router) { client in
            try await body(OrderServer(world: world, signer: signer, client: client))
        }
    }

    static func routes(_ world: OrderWorld) -> OrderRoutes {
        let secret = Redacted(String(repeating: "k", count: 32))
        return OrderRoutes(
            operations: world.operations, reader: OrderReader(pool: world.pool),
            idempotency: IdempotencyStore(pool: world.pool, secret: secret), cursors: CursorSealer(secret: secret),
            seal: PlaceSeal(secret: secret), clock: { .thisMillisecond })
    }

    // MARK: People

    func person(_ account: UUID = .timeOrdered(), roles: [String], in market: String = "assef") async throws -> Person {
        let now = Date().timeIntervalSince1970
        let claims = AccessTokenClaims(
            sub: account.text, iss: Self.issuer, aud: Self.audience, exp: now + 3_600, iat: now,
            roles: roles.map { MarketRole(market: market, role: $0) }, sid: nil)
        return Person(account: account, token: try await signer.sign(claims))
    }

    /// An API key of somebody for a market.
    func key(
        of account: UUID, in market: String, _ scopes: [String] = ["orders:read", "orders:write"]
    ) async throws -> Person {
        let now = Date().timeIntervalSince1970
        let claims = AccessTokenClaims(
            sub: account.text, iss: Self.issuer, aud: Self.audience, exp: now + 3_600, iat: now,
            roles: [MarketRole(market: market, role: "customer")], sid: nil, scopes: scopes)
        return Person(account: account, token: try await signer.sign(claims))
    }

    func customer(_ name: String = "Salem") async throws -> Person {
        try await person(try await world.addCustomer(name), roles: ["customer"])
    }

    func provider(_ name: String = "Noura") async throws -> Person {
        try await person(try await world.addProvider(name), roles: ["provider"])
    }

    // MARK: Calls

    /// - Parameter isThere: false of a provider who is not where the word speaks of.
    func post(
        _ path: String, as person: Person?, _ body: String? = nil, key: String? = UUID().uuidString,
        language: String = "en", isThere: Bool = true
    ) async throws -> Answer {
        if isThere { try await stand(person, for: path) }
        var headers = headers(person, language)
        headers[.idempotencyKey] = key
        if body != nil { headers[.contentType] = "application/json" }
        return try await client.execute(
            uri: path, method: .post, headers: headers, body: body.map { ByteBuffer(string: $0) }
        ) { try Answer($0) }
    }

    /// Another method than POST, with a body and a key.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as person: Person?, _ body: String? = nil
    ) async throws -> Answer {
        var headers = headers(person, "en")
        headers[.idempotencyKey] = UUID().uuidString
        if body != nil { headers[.contentType] = "application/json" }
        return try await client.execute(
            uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
        ) { try Answer($0) }
    }

    func get(_ path: String, as person: Person?, language: String = "en") async throws -> Answer {
        try await client.execute(uri: path, method: .get, headers: headers(person, language)) { try Answer($0) }
    }

    private func headers(_ person: Person?, _ language: String) -> HTTPFields {
        var headers: HTTPFields = [.acceptLanguage: language]
        if let person { headers[.authorization] = "Bearer \(person.token)" }
        return headers
    }

    // MARK: Orders

    static func body(
        _ provider: UUID, services: String = #"["wound-care"]"#, latitude: String = "24.7", longitude: String = "46.7",
        more: String = ""
    ) -> String {
        // More than any visit costs, where a test does not say what the customer saw.
        let seen = more.contains(#""total""#) ? "" : #", "total": {"amount": 9000000, "currency": "SAR"}"#
        return """
            {"market": "assef", "provider": "\(provider.text)", "services": \(services), "latitude": \(latitude),
             "longitude": \(longitude)\(seen)\(more)}
            """
    }

    /// The path of a new order.
    func order(_ customer: Person, _ provider: Person) async throws -> String {
        let answer = try await post(OrderServer.orders, as: customer, Self.body(provider.account))
        #expect(answer.status == 201, "\(answer.json)")
        return try "\(Self.orders)/\(#require(answer["order"]?.text))"
    }

    static let orders = "/dispatch/v1/orders"
}

/// What a client reads.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let json: JSONValue

    init(_ response: TestResponse) throws {
        status = response.status.code
        headers = response.headers
        json = response.status == .noContent ? .null : try JSONValue(parsing: response.body.readableBytesView)
    }

    subscript(_ names: String...) -> JSONValue? {
        names.reduce(Optional(json)) { value, name in value?[name] }
    }

    /// The slug of a problem.
    var problem: String? { self["type"]?.text.map { String($0.dropFirst("urn:serai:problem:".count)) } }

    /// Of a problem: code by field.
    var codes: [String: String] {
        guard case .array(let errors)? = self["errors"] else { return [:] }
        return Dictionary(errors.map { ($0["field"]?.text ?? "", $0["code"]?.text ?? "") }) { first, _ in first }
    }

    /// The lines of an order.
    var services: [JSONValue] {
        if case .array(let services)? = self["services"] { services } else { [] }
    }

    var items: [JSONValue] {
        if case .array(let items)? = self["items"] { items } else { [] }
    }
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var int: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
    var texts: [String] { if case .array(let values) = self { values.compactMap(\.text) } else { [] } }
}
