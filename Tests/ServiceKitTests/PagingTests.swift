import Foundation
import Hummingbird
import Messaging
import TestKit
import Testing

@testable import ServiceKit

@Suite("Paging")
struct PagingTests {
    let sealer = CursorSealer(secret: Redacted("a signing key of thirty-two bytes"))
    let scope = CursorScope(list: "orders", filters: ["state": "done"], owner: "account-1")
    let cursor = Cursor(
        .descending,
        [.date(Date(timeIntervalSince1970: 1_700_000_000.123456)), .uuid(UUID()), .integer(-5), .null, .text("ü")])

    @Test("a cursor comes back as it was")
    func roundTrip() throws {
        #expect(try sealer.open(try sealer.seal(cursor, for: scope), for: scope) == cursor)
    }

    @Test("Q7: a cursor of another list, filter, owner or key is refused")
    func foreign() throws {
        let sealed = try sealer.seal(cursor, for: scope)
        let others = [
            CursorScope(list: "offers", filters: ["state": "done"], owner: "account-1"),
            CursorScope(list: "orders", filters: ["state": "open"], owner: "account-1"),
            CursorScope(list: "orders", filters: [:], owner: "account-1"),
            CursorScope(list: "orders", filters: ["state": "done"], owner: "account-2"),
            CursorScope(list: "orders", filters: ["state": "done"]),
        ]
        for other in others { #expect(throws: CursorSealer.invalid) { try sealer.open(sealed, for: other) } }
        let stranger = CursorSealer(secret: Redacted("another signing key of 32 bytes..."))
        #expect(throws: CursorSealer.invalid) { try stranger.open(sealed, for: scope) }
    }

    @Test("a cursor with any bit changed is refused")
    func tampered() throws {
        let bytes = try #require(Base64URL.decode(try sealer.seal(cursor, for: scope)))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8.random(in: 0...7)
            #expect(throws: CursorSealer.invalid) { try sealer.open(Base64URL.encode(changed), for: scope) }
        }
    }

    @Test("nonsense is refused")
    func nonsense() {
        var generator = SeededGenerator()
        for _ in 0..<500 {
            let text = generator.text(0...60, from: "abcXYZ019-_=+/%. ü")
            #expect(throws: CursorSealer.invalid, "\(generator)") { try sealer.open(text, for: scope) }
        }
        #expect(throws: CursorSealer.invalid) { try sealer.open(String(repeating: "a", count: 5_000), for: scope) }
    }

    @Test("no two scopes have the same text")
    func scopes() {
        #expect(CursorScope(list: "a", filters: ["b": "c"]) != CursorScope(list: "a", filters: ["bc": ""]))
        #expect(CursorScope(list: "ab", owner: "c") != CursorScope(list: "a", owner: "bc"))
    }

    func request(_ query: String) -> Request {
        Request(
            head: .init(method: .get, scheme: "http", authority: "x", path: "/list" + query),
            body: .init(buffer: .init()))
    }

    func page(_ query: String) throws -> ListPage { try QueryForm(request(query)).page(of: "list", sealedBy: sealer) }

    @Test("the limit is 1 to 100, and 20 where none is given")
    func limits() throws {
        #expect(try page("").limit == 20)
        #expect(try page("?limit=100").fetchLimit == 101)
        // In a query `+` is a space, and spaces around a number do not matter.
        #expect(try page("?limit=+5").limit == 5)
        for bad in ["0", "101", "-1", "x", "", "1e2", "%2B5", "5.0"] {
            let problem = #expect(throws: Problem.self) { try page("?limit=\(bad)") }
            #expect(problem?.status == .badRequest)
            #expect(problem?.fields.map(\.code) == ["out-of-range"] && problem?.fields.first?.pointer == "limit")
        }
    }

    @Test("pages walk through a list once, and the last has no next")
    func walk() throws {
        let rows = (0..<7).map { Int64($0) }
        var seen: [Int64] = []
        var query = "?limit=3"
        for _ in 0..<3 {
            let page = try page(query)
            let after = page.cursor?.values.first?.integer ?? -1
            let fetched = Array(rows.filter { $0 > after }.prefix(page.fetchLimit))
            let made = try page.answer(fetched, position: { [.integer($0)] }, item: { $0 })
            seen += made.items
            guard let next = made.next else { break }
            query = "?limit=3&cursor=\(next)"
        }
        #expect(seen == rows)
    }

    @Test("a cursor belongs to what was read, to what else decides the rows, and to the owner")
    func filters() throws {
        let owner = UUID()
        func page(_ text: String, _ market: String = "assef", owner: UUID?) throws -> ListPage {
            let query = QueryForm(request(text), ignoring: .unknown)
            _ = query.text("name", isSearch: true)
            return try query.page(of: "list", where: ["market": market], owner: owner, sealedBy: sealer)
        }
        let id = UUID()
        let next = try page("?name=a", owner: owner).next(after: [.date(Date(timeIntervalSince1970: 5)), .uuid(id)])
        let second = try page("?cursor=\(next)&limit=7&name=a&other=1", owner: owner)
        #expect(second.last?.id == id && second.last?.at == Date(timeIntervalSince1970: 5) && second.limit == 7)
        for (text, market, owner) in [
            ("name=b&", "assef", owner), ("", "assef", owner), ("name=a&", "rakib", owner), ("name=a&", "assef", nil),
        ] {
            #expect(throws: CursorSealer.invalid) { try page("?\(text)cursor=\(next)", market, owner: owner) }
        }
        #expect(try page("?name=", owner: nil).last == nil)
    }
}
