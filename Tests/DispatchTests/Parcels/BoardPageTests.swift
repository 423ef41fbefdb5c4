import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import Testing
import TestKit

@testable import SeraiDispatch

@Suite("O11, X1: all requests of the city, page by page", .timeLimit(.minutes(5)))
struct BoardPageTests {
    private static let board = "/dispatch/v1/markets/carrepsa/board"

    @Test(
        "O11: without a place the board has all requests of the city, in pages that miss and repeat none in any order",
        arguments: ["newest", "payment", "way", "near"])
    func pages(_ sort: String) async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            var posted: [UUID] = []
            for index in 0..<7 {
                // Two of a payment each, far more than ten kilometres between the first and the last.
                let body = OrderServer.parcel(payment: 100 * (index / 2), north: 0.02 * Double(index), way: 0.01)
                posted.append(try await server.posted(owner, body))
            }
            var found: [UUID] = []
            var cursor: String?
            repeat {
                let more = cursor.map { "&cursor=\($0)" } ?? ""
                let from = sort == "near" ? "&fromLatitude=57.7&fromLongitude=11.97" : ""
                let page = try await server.get("\(Self.board)?limit=2&sort=\(sort)\(from)\(more)", as: carrier)
                #expect(page.status == 200, "\(page.json)")
                #expect(page.items.count <= 2)
                found += page.items.compactMap { $0["order"]?["order"]?.text.flatMap(UUID.init(uuidString:)) }
                #expect(page.items.allSatisfy { ($0["metresAway"] != nil) == (sort == "near") })
                cursor = page["next"]?.text
            } while cursor != nil && found.count < 20
            #expect(Set(found) == Set(posted) && found.count == posted.count)
            switch sort {
            case "newest": #expect(found == posted.reversed())
            case "payment": #expect(found == [6, 5, 4, 3, 2, 1, 0].map { posted[$0] })
            case "near": #expect(found == posted)
            default: break
            }
        }
    }

    @Test("O11, P10: near needs a place, and a cursor counts only for the search that gave it")
    func refused() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            for _ in 0..<2 { _ = try await server.posted(owner) }
            let near = try await server.get("\(Self.board)?sort=near", as: carrier)
            #expect(near.status == 400 && near.codes["/latitude"] == "required")
            let page = try await server.get("\(Self.board)?limit=1", as: carrier)
            let cursor = try #require(page["next"]?.text)
            #expect(try await server.get("\(Self.board)?limit=1&cursor=\(cursor)", as: carrier).items.count == 1)
            for other in ["&sort=payment", "&fragile=true"] {
                let answer = try await server.get("\(Self.board)?cursor=\(cursor)\(other)", as: carrier)
                #expect(answer.problem == "invalid-cursor")
            }
            let somebody = try await server.carrier("Rut")
            #expect(try await server.get("\(Self.board)?cursor=\(cursor)", as: somebody).problem == "invalid-cursor")
        }
    }

    @Test("X1: a map asks for what begins between its corners")
    func map() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let inside = try await server.posted(owner)
            _ = try await server.posted(owner, OrderServer.parcel(north: 0.1))
            let corners = "?south=57.69&west=11.9&north=57.71&east=12.0"
            for sort in ["", "&sort=payment", "&latitude=57.7&longitude=11.97"] {
                let found = try await server.get(Self.board + corners + sort, as: carrier)
                #expect(found.items.compactMap { $0["order"]?["order"]?.text } == [inside.text], "\(sort)")
            }
        }
    }

    @Test("X7: requests along a way, with the detour that each means, by detour or payment, within the limit")
    func along() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            // On the way north; beside it; against it.
            let straight = try await server.posted(owner, OrderServer.parcel(payment: 100, north: 0.02, way: 0.04))
            let aside = try await server.posted(
                owner, OrderServer.parcel(payment: 900, north: 0.02, way: 0.04).replacing("11.97", with: "12.01"))
            let against = try await server.posted(owner, OrderServer.parcel(payment: 500, north: 0.06, way: -0.05))
            let way = "\(Self.board)/along?fromLatitude=57.7&fromLongitude=11.97&toLatitude=57.8&toLongitude=11.97"
            func found(_ more: String, as person: OrderServer.Person) async throws -> [UUID] {
                let answer = try await server.get(way + more, as: person)
                #expect(answer.status == 200, "\(answer.json)")
                return answer.items.compactMap { $0["order"]?["order"]?.text.flatMap(UUID.init(uuidString:)) }
            }
            #expect(try await found("&detourMetres=1000", as: carrier) == [straight])
            #expect(try await found("", as: carrier) == [straight, aside])
            #expect(try await found("&detourMetres=50000", as: carrier) == [straight, aside, against])
            #expect(try await found("&detourMetres=50000&sort=payment", as: carrier) == [aside, against, straight])
            #expect(try await found("&detourMetres=50000&limit=1", as: carrier) == [straight])
            let page = try await server.get(way + "&detourMetres=50000&limit=1", as: carrier)
            let cursor = try #require(page["next"]?.text)
            #expect(try await found("&detourMetres=50000&limit=2&cursor=\(cursor)", as: carrier) == [aside, against])
            let item = try #require(try await server.get(way, as: carrier).items.last)
            #expect((500...5_000).contains(item["detourMetres"]?.int ?? 0) && (item["detourSeconds"]?.int ?? 0) > 60)
            #expect(item["order"]?["customer"]?["account"] == nil)
            let wrong = try await server.get("\(Self.board)/along?fromLatitude=57.7", as: carrier)
            #expect(wrong.status == 400 && wrong.codes["/toLatitude"] == "required")
            #expect(try await server.get(way, as: owner).status == 403)
            #expect(try await server.get(way, as: nil).status == 401)
        }
    }
}
