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

@Suite("Photos of parcels and pictures of dishes", .timeLimit(.minutes(15)))
struct PhotoTests {
    /// 5000 pixels a side in some bytes.
    private static let huge: [UInt8] = {
        let header: [UInt8] = [0, 0, 0x13, 0x88, 0, 0, 0x13, 0x88, 8, 2, 0, 0, 0]
        return PNGFile.signature + PNGFile.chunk(Array("IHDR".utf8), header)
            + PNGFile.chunk(Array("IDAT".utf8), [1]) + PNGFile.chunk(Array("IEND".utf8), [])
    }()

    @Test("O11: a photo is uploaded, posted with a parcel, and seen on the board, without what the camera wrote")
    func parcel() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let photo = try await server.photo(of: owner)
            let order = try await server.posted(owner, OrderServer.parcel(photo: photo))
            #expect(try await server.get(server.path(order), as: owner)["parcel", "photo"]?.text == photo)
            let listed = try await server.get(OrderServer.board, as: carrier).items
            #expect(listed.compactMap { $0["order"]?["parcel"]?["photo"]?.text } == [photo])
            let shown = try await server.show(photo, to: carrier)
            #expect(shown.status == .ok)
            #expect(shown.headers[.contentType] == "image/jpeg")
            #expect(shown.headers[.contentDisposition] == "inline; filename=\"photo.jpg\"")
            #expect(shown.headers[.xContentTypeOptions] == "nosniff")
            #expect(shown.headers[.contentSecurityPolicy]?.contains("default-src 'none'; sandbox") == true)
            #expect(shown.headers[.cacheControl]?.hasPrefix("private") == true)
            let bytes = Array(shown.body.readableBytesView)
            #expect(FileKind(sniffing: bytes) == .jpeg)
            for secret in SampleFiles.secrets { #expect(Data(bytes).range(of: Data(secret.utf8)) == nil) }
        }
    }

    @Test("C5: a dish has a picture, which stays while the dish is changed, and may be taken away")
    func dish() async throws {
        try await OrderServer.with { server in
            let host = try await server.host()
            let (first, second) = (try await server.photo(of: host), try await server.photo(of: host))
            let item = "\(OrderServer.restaurant)/items/\(try await server.addDish(first, by: host))"
            #expect(try await server.pictures(of: host) == [first])
            for picture in [first, second, nil] {
                let changed = try await server.send(.put, item, as: host, OrderServer.dish(picture))
                #expect(changed.status == 200 && changed["picture"]?.text == picture)
                #expect(try await server.pictures(of: host) == [picture])
            }
        }
    }

    @Test("O11, P10: what lies about its kind, is no picture, damaged, empty or too large is refused, and not kept")
    func refused() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let script = Array("<html><script>alert(1)</script></html>".utf8)
            let tooLarge = SampleFiles.png + [UInt8](repeating: 0, count: UploadPhoto.maximumBytes)
            let uploads: [([UInt8], String, Int, String)] = [
                (SampleFiles.png, "image/jpeg", 422, "file-refused"), (script, "image/png", 422, "file-refused"),
                ([], "image/png", 422, "file-refused"),
                (Array(SampleFiles.jpeg.prefix(400)), "image/jpeg", 422, "file-refused"),
                (Self.huge, "image/png", 422, "image-too-large"), (tooLarge, "image/png", 413, "body-too-large"),
                (script, "text/html", 415, "unsupported-media-type"),
                (SampleFiles.pdf, "application/pdf", 415, "unsupported-media-type"),
                (Array("{}".utf8), "application/json", 415, "unsupported-media-type"),
            ]
            for (bytes, type, status, slug) in uploads {
                let answer = try await server.upload(bytes, as: type, by: owner)
                #expect(answer.status == status && answer.problem == slug, "\(type) \(bytes.count) \(answer.json)")
            }
            #expect(try await server.world.pool.first(CountPhotos()) == 0)
        }
    }

    @Test("O11: the same upload again is the same photo")
    func repeated() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let first = try await server.upload(by: owner, key: "the-same-key")
            let second = try await server.upload(by: owner, key: "the-same-key")
            #expect(first.status == 201 && second["photo"] == first["photo"])
            let other = try await server.upload(SampleFiles.png, as: "image/png", by: owner, key: "the-same-key")
            #expect(other.problem == "idempotency-key-reused")
            #expect(try await server.world.pool.first(CountPhotos()) == 1)
        }
    }

    @Test("O11: who uploads too often, or has too many photos, is refused")
    func limits() async throws {
        try await OrderServer.with { server in
            let (hasty, owner) = (try await server.owner(), try await server.owner("Sven"))
            var statuses: [Int] = []
            for _ in 0..<60 where statuses.last != 429 {
                statuses.append(try await server.upload([], as: "image/png", by: hasty).status)
            }
            #expect(statuses.last == 429)
            let count = UploadPhoto.maximumOfOwner
            try await server.world.pool.execute(FillPhotos(owner: owner.account, count: count - 1))
            #expect(try await server.upload(by: owner).status == 201)
            let refused = try await server.upload(by: owner)
            #expect(refused.status == 409 && refused.problem == "too-many-photos")
        }
    }

    @Test("O11, Q7: a parcel is posted with a photo of its owner's own alone")
    func foreignPhoto() async throws {
        try await OrderServer.with { server in
            let (owner, other) = (try await server.owner(), try await server.owner("Sven"))
            for photo in [try await server.photo(of: other), UUID.timeOrdered().text] {
                let refused = try await server.post(
                    OrderServer.parcels, as: owner, OrderServer.parcel(photo: photo))
                #expect(refused.status == 422 && refused.codes == ["/photo": "not-your-photo"])
            }
            let wrong = try await server.post(OrderServer.parcels, as: owner, OrderServer.parcel(photo: "lamp.jpg"))
            #expect(wrong.codes == ["/photo": "not-an-id"])
            #expect(try await server.world.pool.first(CountOrders()) == 0)
        }
    }

    @Test("C5, Q7: a dish's picture is a photo of its owner's own, or the one that it has")
    func foreignPicture() async throws {
        try await OrderServer.with { server in
            let (host, other) = (try await server.host(), try await server.host())
            let foreign = try await server.photo(of: other)
            let items = "\(OrderServer.restaurant)/items"
            let refused = try await server.post(items, as: host, OrderServer.dish(foreign))
            #expect(refused.status == 422 && refused.codes == ["/picture": "not-your-photo"])
            #expect(try await server.pictures(of: host) == [])
            let own = try await server.photo(of: host)
            let item = "\(items)/\(try await server.addDish(own, by: host))"
            let changed = try await server.send(.put, item, as: host, OrderServer.dish(foreign))
            #expect(changed.status == 422 && changed.codes == ["/picture": "not-your-photo"])
            #expect(try await server.pictures(of: host) == [own])
            let missing = "\(items)/\(UUID.timeOrdered().text)"
            #expect(try await server.send(.put, missing, as: host, OrderServer.dish(own)).status == 404)

            let kept = try await server.send(.put, item, as: host, OrderServer.dish(own))
            #expect(kept.status == 200 && kept["picture"]?.text == own, "\(kept.json)")
        }
    }
}
