import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Pictures of a catalogue, and who may change it", .timeLimit(.minutes(15)))
struct CatalogueImageTests {
    private static let path = "/admin/v1/markets/assef/catalogue/services/wound-care"

    @Test("C1: a picture is uploaded, told, shown to everybody for ever, and taken away again")
    func picture() async throws {
        try await AdminFixture.running { fixture async throws in
            let set = try await fixture.upload("\(Self.path)/image", SampleFiles.jpeg, as: "image/jpeg")
            #expect(set.status == 200, "\(set.text)")
            let image = try #require(try set.json["image"]?.string)
            #expect(image.wholeMatch(of: #/\/admin\/v1\/markets\/assef\/images\/[0-9a-f]{64}/#) != nil)
            let shown = try await fixture.send(.GET, image, as: nil)
            #expect(shown.status == 200)
            #expect(shown.headers.first(name: "content-type") == "image/jpeg")
            #expect(shown.headers.first(name: "cache-control") == "public, max-age=31536000, immutable")
            #expect(shown.headers.first(name: "content-security-policy")?.contains("sandbox") == true)
            let tag = try #require(shown.headers.first(name: "etag"))
            let known = try await fixture.send(.GET, image, as: nil, headers: ["If-None-Match": tag])
            #expect(known.status == 304)
            for wrong in ["x", String(repeating: "0", count: 64), "wound-care.svg"] {
                #expect(try await fixture.send(.GET, "/admin/v1/markets/assef/images/\(wrong)", as: nil).status == 404)
            }
            // Another market does not have it.
            let elsewhere = image.replacing("/assef/", with: "/edencare/")
            #expect(try await fixture.send(.GET, elsewhere, as: nil).status == 404)
            let other = try await fixture.upload("\(Self.path)/image", SampleFiles.png, as: "image/png")
            #expect(try other.json["image"]?.string != image)
            // The former one is kept for pages that were read before.
            #expect(try await fixture.send(.GET, image, as: nil).status == 200)
            try await fixture.pool.withTransaction { transaction in
                transaction.send(AgeImages())
            }
            _ = try await fixture.upload("\(Self.path)/image", SampleFiles.webp, as: "image/webp")
            #expect(try await fixture.send(.GET, image, as: nil).status == 404)
            let removed = try await fixture.send(.DELETE, "\(Self.path)/image", as: fixture.admin)
            #expect(try removed.json["image"]?.string == "/dispatch/v1/markets/assef/images/wound-care.svg")
            let acts = try await fixture.acts().compactMap { $0["action"]?.string }
            #expect(acts == Array(repeating: "catalogue.pictured", count: 4))
        }
    }

    @Test("C1, P10: drawings that can hold scripts, other kinds, and what is no picture are refused")
    func refused() async throws {
        try await AdminFixture.running { fixture async throws in
            let svg = Array(#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#.utf8)
            #expect(try await fixture.upload("\(Self.path)/image", svg, as: "image/svg+xml").status == 415)
            #expect(try await fixture.upload("\(Self.path)/image", svg, as: "image/png").status == 422)
            #expect(try await fixture.upload("\(Self.path)/image", SampleFiles.jpeg, as: "image/png").status == 422)
            #expect(
                try await fixture.upload(
                    "\(Self.path)/image", [UInt8](repeating: 0, count: CatalogueImage.maximumBytes + 1),
                    as: "application/octet-stream"
                ).status == 413)
            let title = "/admin/v1/markets/assef/catalogue/titles/nurse/image"
            #expect(try await fixture.upload(title, SampleFiles.jpeg, as: "image/jpeg").status == 404)
            let late = try await fixture.upload(
                "\(Self.path)/image", SampleFiles.jpeg, as: "image/jpeg", headers: ["If-Match": "\"9\""])
            #expect(late.status == 412)
            #expect(try await fixture.acts().isEmpty)
        }
    }

    @Test("Q7: nobody but the market's admins changes its catalogue")
    func access() async throws {
        try await AdminFixture.running { fixture async throws in
            let section = "/admin/v1/markets/assef/catalogue/services"
            let routes: [(HTTPMethod, String, String?)] = [
                (.GET, section, nil), (.POST, section, CatalogueTests.service("a", id: "a")),
                (.PUT, Self.path, CatalogueTests.service("a")), (.POST, "\(Self.path)/retire", "{}"),
                (.POST, "\(Self.path)/restore", "{}"), (.PUT, "\(Self.path)/place", "{}"),
                (.PUT, "\(Self.path)/image", "{}"), (.DELETE, "\(Self.path)/image", nil),
            ]
            let wrong: [(TestCaller?, Int)] = [
                (nil, 401), (TestCaller(roles: []), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "customer")]), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "provider")]), 403),
                (TestCaller(roles: [MarketRole(market: "edencare", role: "admin")]), 403),
            ]
            for (method, path, body) in routes {
                for (caller, status) in wrong {
                    let answer = try await fixture.send(
                        method, path, as: caller, body: body,
                        headers: ["Idempotency-Key": UUID.timeOrdered().text])
                    #expect(answer.status == status, "\(method) \(path)")
                }
            }
            #expect(try await fixture.acts(as: fixture.master).isEmpty)
        }
    }
}

private struct AgeImages: Statement {
    static let sql: SQL = "UPDATE catalogue_images SET stored_at = stored_at - interval '8 days'"
}
