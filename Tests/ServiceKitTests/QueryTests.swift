import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SeraiJSON
import TestKit
import Testing

@testable import ServiceKit

@Suite("Queries")
struct QueryTests {
    @Test("P10: + is a space, but not in an offset; digits and marks are as in bodies")
    func plus() {
        let query = QueryParameters(
            query:
                "name=Sara+Ali&from=2026-01-01T00:00:00+03:00&limit=%D9%A2%D9%A0&cursor=a+b%2B&x=1&x=2&e&p=100%&q=%2B1")
        #expect(query["name"] == "Sara Ali")
        #expect(query.time("from").flatMap(Timestamp.parse).map(Timestamp.text) == "2025-12-31T21:00:00.000Z")
        #expect(query.number("limit") == "20")
        #expect(query.opaque("cursor") == "a+b+")
        #expect(query["x"] == "1")
        #expect(query["e"] == "")
        #expect(query["p"] == "100%")
        #expect(query["q"] == "+1")
        #expect(QueryParameters(query: "a=%+0b&b=%-0&c=%2")["a"] == "% 0b")
        #expect(QueryParameters(query: "b=%-0&c=%2")["b"] == "%-0")
        #expect(QueryParameters(query: "c=%2")["c"] == "%2")
        #expect(query["absent"] == nil)
        #expect(QueryParameters(query: nil)["a"] == nil)
        #expect(QueryParameters(query: "a=%E2%80%AE%C2%A0b%20")["a"] == "b")
    }

    @Test(
        "P10: every wrong parameter is named, with those that were not read, and one that is there and empty is wrong")
    func faults() throws {
        enum Kind: String, CaseIterable { case ride, meal }
        func read(_ text: String, ignoring ignored: QueryForm.Ignored = []) -> [String: String] {
            let query = QueryForm(
                Request(
                    head: .init(method: .get, scheme: "http", authority: "x", path: "/list?" + text),
                    body: .init(buffer: .init())), ignoring: ignored)
            _ = (query.choice("kind", of: Kind.self), query.bool("open"), query.uuid("order"), query.date("from"))
            _ = (query.integer("count", in: 1...5), query.currency(), query.text("name", maximum: 3, isSearch: true))
            return Dictionary(uniqueKeysWithValues: query.problem.fields.map { ($0.pointer.description, $0.code) })
        }
        #expect(read("kind=meal&open=true&from=2026-01-01T00:00:00Z&count=%D9%A5&currency=SAR&name=&limit=9").isEmpty)
        #expect(
            read("kind=x&open=1&order=x&from=x&count=6&currency=XXY&name=abcd&kin=ride") == [
                "/kind": "not-a-choice", "/open": "not-a-choice", "/order": "not-an-id", "/from": "not-a-time",
                "/count": "out-of-range", "/currency": "not-a-currency", "/name": "too-long",
                "/kin": "unknown-parameter",
            ])
        #expect(read("count=1.5&kind=") == ["/count": "not-a-whole-number", "/kind": "required"])
        #expect(read("kind=&kin=ride", ignoring: .unknownAndEmpty).isEmpty)
        #expect(read("kind=&kin=ride", ignoring: .unknown) == ["/kind": "required"])
    }

    @Test("P10: a control character in an address is a 400 or a 404 that names it, and never reaches a route")
    func controls() async throws {
        let fixture = try ServerFixture { router in
            router.get("/echo/{id}") { _, context in context.parameters.get("id") ?? "" }
        }
        try await fixture.test { client async throws in
            for (uri, codes) in [
                ("/echo/1?name=a%00b", ["/name": "control-characters"]),
                ("/echo/1?%0a=1", ["/\n": "control-characters"]),
                ("/echo/1?currency=SA%1F", ["/currency": "control-characters"]),
                ("/echo/1?name=%FF", ["/name": "invalid-value"]),
            ] {
                try await client.execute(uri: uri, method: .get) {
                    let problem = try ProblemAnswer($0)
                    #expect(problem.slug == "invalid-query" && problem.status == 400)
                    #expect(problem.codes == codes)
                }
            }
            for uri in ["/echo/%00", "/echo/a%0Db", "/echo/%FF"] {
                try await client.execute(uri: uri, method: .get) { #expect($0.status == .notFound) }
            }
            try await client.execute(uri: "/echo/a%20b?name=%D9%86", method: .get) {
                #expect($0.text == "a%20b" || $0.text == "a b")
            }
        }
    }
}
