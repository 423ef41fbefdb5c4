import AsyncHTTPClient
import Contracts
import Foundation
import Logging
import Messaging
import NIOCore
import NIOHTTP1
import PollThread
import Postgres
import SeraiJSON
import ServiceLifecycle
import TestKit
import Testing

@testable import SeraiIdentity
@testable import ServiceKit

/// The service as it is composed, with a database of its own, listening on a free port.
struct World: Sendable {
    let assembly: ServiceAssembly<IdentityService>
    let bootstrap: ServiceBootstrap
    let clock: FixedClock
    let port: Int

    /// A hash that costs next to nothing: what one costs is shown by tests of its own.
    static let cheap = Argon2id(memoryKiB: 64, passes: 1)

    var parts: IdentityParts { assembly.parts }
    var pool: PostgresPool { assembly.parts.pool }

    /// - Parameters:
    ///   - environment: beside what a test always sets.
    ///   - onboarding: what every market asks for, if not its own.
    ///   - languages: catalogues of languages beside the service's own.
    ///   - clock: what the service takes for now. Tokens are checked by the real time.
    ///   - argon2id: what a hash costs, if that matters.
    static func run(
        _ environment: [String: String] = [:], confirmation: Market.Confirmation = .none,
        onboarding: Market.Onboarding? = nil, languages: [Language: [UInt8]] = [:],
        clock: FixedClock = FixedClock(Date()), argon2id: Argon2id = cheap,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await withKeys { keys in
            try await run(
                environment, keys: keys, confirmation: confirmation, onboarding: onboarding, languages: languages,
                clock: clock, argon2id: argon2id, body)
        }
    }

    static func run(
        _ environment: [String: String] = [:], keys: URL, confirmation: Market.Confirmation = .none,
        onboarding: Market.Onboarding? = nil, languages: [Language: [UInt8]] = [:],
        clock: FixedClock = FixedClock(Date()), argon2id: Argon2id = cheap,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await TestDatabase.withDatabase(IdentityService.migrations, schema: IdentityService.name) { database in
            try await run(
                environment, keys: keys, database: database.dsn, confirmation: confirmation, onboarding: onboarding,
                languages: languages, clock: clock, argon2id: argon2id, body)
        }
    }

    /// Another process, with keys of its own, over the database of one that runs.
    static func run(
        keys: URL, beside other: World, _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let database = try other.bootstrap.configuration[CommonKeys.databaseURL].revealed
        try await run(
            [:], keys: keys, database: database, confirmation: .none, onboarding: nil, languages: [:],
            clock: other.clock, argon2id: cheap, body)
    }

    private static func run(
        _ environment: [String: String], keys: URL, database: String, confirmation: Market.Confirmation,
        onboarding: Market.Onboarding?, languages: [Language: [UInt8]], clock: FixedClock, argon2id: Argon2id,
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        do {
            let bootstrap = try bootstrap(database: database, keys: keys, environment, languages: languages)
            let assembly = try await ServiceAssembly<IdentityService>(bootstrap, clock: { clock.now }) { base in
                try await IdentityParts(
                    base, confirmation: { _ in confirmation },
                    onboarding: { onboarding ?? IdentityParts.onboarding($0) }, argon2id: argon2id)
            }
            let pool = assembly.parts.pool
            defer {
                assembly.parts.hasher.stop()
                pool.thread.stop()
            }
            do {
                try await listen(assembly.server, bootstrap.logger) { port in
                    try await body(World(assembly: assembly, bootstrap: bootstrap, clock: clock, port: port))
                }
            } catch {
                await assembly.parts.provider?.close()
                throw error
            }
            await assembly.parts.provider?.close()
            await pool.close()
        }
    }

    /// Gives `body` a folder with fresh keys.
    static func withKeys<R>(_ body: (URL) async throws -> R) async throws -> R {
        let directory = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().text)")
        _ = try await CreateKeys(directory: directory)(keyID: "test")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: directory) } }
        return try await body(directory)
    }

    static func bootstrap(
        database: String, keys: URL, _ environment: [String: String] = [:], languages: [Language: [UInt8]] = [:]
    ) throws -> ServiceBootstrap {
        func path(_ file: String) -> String { keys.appending(path: file).path(percentEncoded: false) }
        let values = [
            "SERAI_DATABASE_URL": database, "SERAI_AMQP_URL": "amqp://u:p@127.0.0.1:1/",
            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32), "SERAI_HTTP_PORT": "0",
            "SERAI_SHUTDOWN_DRAIN_MILLISECONDS": "0", "SERAI_DELIVERIES_KEY": String(repeating: "d", count: 32),
            "SERAI_IDENTITY_SIGNING_KEY_FILE": path(CreateKeys.signingKeyFile),
            "SERAI_IDENTITY_PERSONAL_KEY_FILE": path(CreateKeys.personalDataKeysFile),
            "SERAI_TOKENS_KEYS_FILE": path(CreateKeys.keySetFile),
            // Most tests are not about it; those that are set it.
            "SERAI_IDENTITY_PASSWORD_MARKETS": "assef",
            "SERAI_IDENTITY_SECOND_FACTOR_ADMINS": "false",
            "SERAI_IDENTITY_RATE_REGISTER_BURST": "1000", "SERAI_IDENTITY_RATE_LOGIN_BURST": "1000",
            "SERAI_IDENTITY_RATE_PROVE_BURST": "1000", "SERAI_IDENTITY_RATE_ASK_BURST": "1000",
        ]
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in IdentityService.catalogues { try catalogue.add(language, json: json) }
        for (language, json) in languages { try catalogue.add(language, json: json) }
        return ServiceBootstrap(
            name: IdentityService.name,
            configuration: try ServiceConfiguration(
                keys: IdentityService.allKeys, arguments: [], environment: values.merging(environment) { $1 }),
            logger: TestThreads.logger, registry: PrometheusRegistry(), catalogue: catalogue,
            migrations: IdentityService.migrations)
    }

    private static func listen(
        _ server: HTTPServer, _ logger: Logger, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let port = try await server.addresses().port
            do {
                try await body(port)
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    // MARK: Requests

    /// - Parameters:
    ///   - key: nil sends no Idempotency-Key; by default each request has its own.
    ///   - from: the client's address, as the proxy says.
    func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil,
        key: String? = UUID().uuidString, language: String? = nil, from address: String? = nil,
        agent: String? = nil, headers: [String: String] = [:], by client: HTTPClient = .shared
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/identity/\(path)")
        request.method = .RAW(value: method)
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        if let key, method == "POST" { request.headers.add(name: "idempotency-key", value: key) }
        if let language { request.headers.add(name: "accept-language", value: language) }
        if let agent { request.headers.add(name: "user-agent", value: agent) }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let address { request.headers.add(name: "x-forwarded-for", value: address) }
        if let body {
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
        }
        let response = try await client.execute(request, timeout: .seconds(120))
        return Answer(
            status: Int(response.status.code),
            bytes: Array(buffer: try await response.body.collect(upTo: 8_388_608)),
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first })
    }

    func post(
        _ path: String, _ body: JSONValue, token: String? = nil, key: String? = UUID().uuidString
    ) async throws -> Answer {
        try await send("POST", "v1/\(path)", body, token: token, key: key)
    }

    // MARK: People

    /// Where nothing confirms an account its owner has proved his address and number all the same.
    @discardableResult
    func register(_ person: Person) async throws -> UUID {
        let answer = try await post("accounts", person.json)
        try #require(answer.status == 201, "\(answer)")
        let account = try #require(answer["account"].flatMap(UUID.init(uuidString:)))
        try await pool.execute(ProveBoth(account: account))
        return account
    }

    func logIn(_ person: Person) async throws -> Tokens {
        let answer = try await post("sessions", ["login": .string(person.email), "password": .string(person.password)])
        try #require(answer.status == 201, "\(answer)")
        return try Tokens(answer)
    }

    func join(_ person: Person) async throws -> Tokens {
        try await register(person)
        return try await logIn(person)
    }

    /// An admin, made as the command makes one, and logged in.
    func admin(of market: String) async throws -> Tokens {
        let person = Person()
        let form = try CreateAdminCommand.form(
            name: person.name, email: person.email, mobile: person.mobile, password: person.password, market: market)
        let hash = try await parts.hasher.hash(form.password)
        _ = try await CreateAdmin(pool: pool, register: RegisterAccount(cipher: parts.cipher))(
            form.registration, passwordHash: hash, at: clock.now)
        return try await logIn(person)
    }

    func verify(
        _ account: UUID, by admin: Tokens, in market: String = "assef", title: String = "nurse"
    ) async throws -> Answer {
        try await post(
            "markets/\(market)/providers/\(account.text)/verification",
            ["decision": "verify", "title": .string(title)], token: admin.access)
    }

    func session(of tokens: Tokens) async throws -> UUID {
        try #require(try await bootstrap.tokenVerifier().verify(tokens.access).sessionID)
    }

    // MARK: Messages

    /// The events in the outbox, in order.
    func events<Payload: Message>(_ type: Payload.Type) async throws -> [Payload] {
        try await pool.query(OutboxMessages(name: type.name.text)).map {
            try JSON.wire.decode(type, $0.utf8)
        }
    }
}

/// An answer of the service.
struct Answer: Sendable, CustomStringConvertible {
    let status: Int
    let bytes: [UInt8]
    let headers: [String: String]

    var json: JSONValue? {
        // Empty bodies are no JSON.
        try? JSONValue(parsing: bytes)
    }

    subscript(name: String) -> String? {
        guard case .string(let text)? = json?[name] else { return nil }
        return text
    }

    /// Of a problem.
    var slug: String? { self["type"].map { String($0.dropFirst("urn:serai:problem:".count)) } }

    /// Codes of a problem's fields.
    var fields: [String: String] {
        guard case .array(let errors)? = json?["errors"] else { return [:] }
        return errors.reduce(into: [:]) { fields, error in
            guard case .string(let field)? = error["field"], case .string(let code)? = error["code"] else { return }
            fields[field] = code
        }
    }

    var items: [JSONValue] {
        guard case .array(let items)? = json?["items"] else { return [] }
        return items
    }

    var description: String { "\(status) \(String(decoding: bytes, as: UTF8.self))" }
}

struct Tokens: Sendable {
    let account: UUID
    let access: String
    let refresh: String

    init(_ answer: Answer) throws {
        account = try #require(answer["account"].flatMap(UUID.init(uuidString:)))
        access = try #require(answer["accessToken"])
        refresh = try #require(answer["refreshToken"])
    }
}

/// Somebody whom no other test knows.
struct Person: Sendable {
    var name = "Noura Al-Harbi"
    var email: String
    var mobile: String
    var password = "Serai-2026-secret"
    var market = "assef"
    var role = "customer"
    var title: String?
    var address: JSONValue?

    init() {
        let number = UInt64.random(in: 100_000_000..<1_000_000_000)
        email = "Person.\(number).\(UInt16.random(in: .min ... .max))@Example.com"
        // Of the plan that has the most.
        mobile = "+8613" + String(number)
    }

    static func provider(_ title: String = "nurse") -> Person {
        var person = Person()
        person.role = "provider"
        person.title = title
        return person
    }

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "market": .string(market), "role": .string(role), "name": .string(name), "email": .string(email),
            "mobile": .string(mobile), "password": .string(password),
        ]
        if let title { members["title"] = .string(title) }
        members["address"] = address
        // Carrepsa's where the market has none of its own.
        let terms = Market.named(market)?.onboarding.terms ?? Market.carrepsa.onboarding.terms
        if let terms { members["terms"] = .string(terms.version) }
        return .object(members)
    }
}

/// As if both had been confirmed.
struct ProveBoth: Statement {
    static let sql: SQL = """
        UPDATE accounts SET email_proved_at = confirmed_at, mobile_proved_at = confirmed_at WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct OutboxMessages: Statement {
    static let sql: SQL = "SELECT payload FROM outbox WHERE name = $1 ORDER BY seq"
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
