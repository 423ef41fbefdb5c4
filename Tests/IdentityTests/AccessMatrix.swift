import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

/// One operation, and what each kind of wrong person gets for things that are there and are somebody else's.
struct AccessRow: Sendable {
    /// As the document has it, without `/identity/`.
    let template: String
    let method: String
    let body: JSONValue?
    /// Nobody, another customer, a provider, an admin of another market.
    let wrong: [Int]
    /// An admin of the market and a master admin, with a body without fields; nil where they are not asked.
    let right: [Int]?
    /// In the place of what ``Victim`` has by that name.
    let ids: [String: String]
    let query: String

    init(
        _ method: String, _ template: String, _ body: JSONValue?, _ wrong: [Int], right: [Int]? = nil,
        ids: [String: String] = [:], query: String = ""
    ) {
        self.template = template
        self.method = method
        self.body = body
        self.wrong = wrong
        self.right = right
        self.ids = ids
        self.query = query
    }

    init(
        _ method: String, _ template: String, _ wrong: [Int], right: [Int]? = nil, ids: [String: String] = [:],
        query: String = ""
    ) {
        self.init(method, template, nil, wrong, right: right, ids: ids, query: query)
    }

    var operation: String { "\(method) /identity/\(template)" }

    func path(_ ids: [String: String]) -> String {
        let all = ids.merging(self.ids) { $1 }
        return all.reduce(template) { $0.replacing("{\($1.key)}", with: $1.value) } + query
    }
}

/// Somebody who has one of everything.
struct Victim: Sendable {
    let person: Person
    let tokens: Tokens
    /// What the templates name.
    let ids: [String: String]
    /// A link that waits for the victim's word, and one that waits for an admin's.
    let asked: String
    let agreed: String

    static let secrets = ["Secret Garden", "77 Hidden Lane"]

    static func make(_ world: World) async throws -> Victim {
        let (person, friend, relative, stranger) = (Person.provider(), Person(), Person(), Person())
        let tokens = try await world.join(person)
        let (friends, relatives, strangers) = (
            try await world.join(friend), try await world.join(relative), try await world.join(stranger)
        )
        let place = try await world.post(
            "accounts/me/places",
            [
                "market": "assef", "label": "home", "name": .string(secrets[0]), "address": .string(secrets[1]),
                "coordinates": ["latitude": 24.7, "longitude": 46.7],
            ], token: tokens.access)
        let avatar = try await world.upload(
            "accounts/me/avatar", SampleFiles.webp, as: "image/webp", token: tokens.access)
        let paper = try await world.upload(
            "accounts/me/providers/assef/documents/licence", SampleFiles.pdf, as: "application/pdf",
            token: tokens.access)
        let papers = try await world.send("GET", "v1/accounts/me/providers/assef", token: tokens.access)
        try #require(place.status == 201 && paper.status == 200, "\(paper) \(papers)")
        guard case .array(let documents)? = papers.json?["documents"],
            case .string(let document)? = documents.first?["document"]
        else { throw Missing(what: "document in \(papers)") }
        func link(_ kind: String, from: Tokens, to mobile: String) async throws -> String {
            var body: [String: JSONValue] = ["kind": .string(kind), "mobile": .string(mobile)]
            if kind == "family" { body.merge(["market": "assef", "scopes": ["order", "see"]]) { $1 } }
            let answer = try await world.post("accounts/me/links", .object(body), token: from.access)
            return try #require(answer["link"], "\(answer)")
        }
        let confirmed = try await link("friend", from: friends, to: person.mobile)
        let agreed = try await link("family", from: relatives, to: person.mobile)
        for one in [confirmed, agreed] {
            let answer = try await world.post("accounts/me/links/\(one)/agreement", [:], token: tokens.access)
            try #require(answer.status == 200, "\(answer)")
        }
        let asked = try await link("friend", from: strangers, to: person.mobile)
        let group = try await world.post("accounts/me/groups", ["title": "Hidden"], token: tokens.access)
        let gone = try await world.join(Person())
        let deletion = try await world.post("accounts/me/deletion", [:], token: gone.access)
        return Victim(
            person: person, tokens: tokens,
            ids: [
                "market": "assef", "account": tokens.account.text, "place": try #require(place["place"]),
                "document": document, "link": confirmed, "group": try #require(group["group"]),
                "session": try await world.session(of: tokens).text,
                "deletion": try #require(deletion["deletion"], "\(deletion)"),
                "name": String(try #require(avatar["avatar"]?.split(separator: "/").last)),
            ], asked: asked, agreed: agreed)
    }

    struct Missing: Error { let what: String }
}

/// All that the tables have about an account, as text.
struct RowsOfAccount: Statement {
    static let sql: SQL = """
        SELECT string_agg(query_to_xml(
            format('SELECT t::text AS line FROM %I t WHERE %I = %L ORDER BY 1', table_name, column_name, $1::text),
            true, true, '')::text, ' ' ORDER BY table_name, column_name)
        FROM information_schema.columns
        WHERE table_schema = current_schema() AND (column_name IN ('account', 'from_account', 'to_account', 'leader')
            OR table_name = 'accounts' AND column_name = 'id')
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account.text) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
