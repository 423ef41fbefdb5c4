import Foundation
import HTTPTypes
import HummingbirdTesting
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

/// What is done with photos, and a restaurant to put them on.
extension OrderServer {
    static let restaurant = "/dispatch/v1/markets/btnc/restaurant"

    func upload(
        _ bytes: [UInt8] = SampleFiles.jpeg, as type: String = "image/jpeg", by person: Person?,
        key: String = UUID().uuidString
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: type]
        headers[.idempotencyKey] = key
        if let person { headers[.authorization] = "Bearer \(person.token)" }
        return try await client.execute(
            uri: PhotoRoutes.path, method: .post, headers: headers, body: ByteBuffer(bytes: bytes)
        ) { try Answer($0) }
    }

    /// The id of one that was uploaded.
    func photo(of person: Person) async throws -> String {
        let answer = try await upload(by: person)
        #expect(answer.status == 201, "\(answer.json)")
        return try #require(answer["photo"]?.text)
    }

    func show(_ photo: String, to person: Person?) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        if let person { headers[.authorization] = "Bearer \(person.token)" }
        let response = try await client.execute(
            uri: "\(PhotoRoutes.path)/\(photo)", method: .get, headers: headers, body: nil)
        return response
    }

    /// Who has a verified restaurant's role in Perth.
    func cook() async throws -> Person {
        let account = UUID.timeOrdered()
        try await world.pool.execute(
            InsertRoleRow(market: "btnc", account: account, name: "Nonna", title: "restaurant"))
        return try await person(account, roles: ["provider"], in: "btnc")
    }

    /// With a restaurant.
    func host() async throws -> Person {
        let cook = try await cook()
        let stored = try await send(.put, Self.restaurant, as: cook, RestaurantTests.card("Nonna"))
        #expect(stored.status == 200, "\(stored.json)")
        return cook
    }

    static func dish(_ picture: String?) -> String {
        let more = picture.map { #", "picture": "\#($0)""# } ?? ""
        return #"{"name": "Soup", "price": 1200\#(more)}"#
    }

    /// A dish's id.
    func addDish(_ picture: String?, by host: Person) async throws -> String {
        let answer = try await post("\(Self.restaurant)/items", as: host, Self.dish(picture))
        #expect(answer.status == 201, "\(answer.json)")
        return try #require(answer["item"]?.text)
    }

    /// Of the menu's dishes.
    func pictures(of host: Person) async throws -> [String?] {
        let menu = try await get(Self.restaurant, as: host)["menu"]?.asList ?? []
        return menu.map { $0["picture"]?.text }
    }
}

struct CountPhotos: Statement {
    static let sql: SQL = "SELECT count(*) FROM photos"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// As if all had been uploaded, and put on what they are on, that long before.
struct AgePhotos: Statement {
    static let sql: SQL = "UPDATE photos SET made_at = $1, used_at = $1"
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(at) }
}

struct FillPhotos: Statement {
    static let sql: SQL = """
        INSERT INTO photos (id, owner, media_type, bytes, made_at, used_at)
        SELECT gen_random_uuid(), $1, 'image/png', ''::bytea, now(), now() FROM generate_series(1, $2)
        """
    let owner: UUID
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(owner, count) }
}
