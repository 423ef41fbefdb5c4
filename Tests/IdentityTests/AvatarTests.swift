import Contracts
import Foundation
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiIdentity
@testable import ServiceKit

@Suite("Pictures of people", .timeLimit(.minutes(15)))
struct AvatarTests {
    @Test("I6: a picture is set, told, shown to everybody with its address, and taken away")
    func whole() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let logo = "/identity/v1/markets/assef/logo"
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["avatar"] == logo)
            let set = try await world.upload(
                "accounts/me/avatar", SampleFiles.jpeg, as: "image/jpeg", token: tokens.access)
            #expect(set.status == 200)
            let path = try #require(set["avatar"])
            #expect(path.wholeMatch(of: #/\/identity\/v1\/avatars\/[0-9a-f]{64}/#) != nil)
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["avatar"] == path)
            let told = try await world.events(AccountChanged.self).map(\.account.avatar)
            #expect(told == [String(path.suffix(64))])
            let shown = try await world.send("GET", String(path.dropFirst("/identity/".count)))
            #expect(shown.status == 200)
            #expect(FileKind(sniffing: shown.bytes) == .jpeg)
            for secret in SampleFiles.secrets { #expect(Data(shown.bytes).range(of: Data(secret.utf8)) == nil) }
            #expect(shown.headers["content-type"] == "image/jpeg")
            #expect(shown.headers["x-content-type-options"] == "nosniff")
            #expect(shown.headers["content-security-policy"]?.contains("sandbox") == true)
            #expect(shown.headers["content-disposition"] == "inline; filename=\"avatar.jpg\"")
            #expect(shown.headers["cache-control"] == "public, max-age=31536000, immutable")
            let tag = try #require(shown.headers["etag"])
            let known = try await world.send(
                "GET", String(path.dropFirst("/identity/".count)), headers: ["if-none-match": tag])
            #expect(known.status == 304)
            #expect(known.bytes.isEmpty)
            // The same picture again is the same, and another one has another address.
            let again = try await world.upload(
                "accounts/me/avatar", SampleFiles.jpeg, as: "image/jpeg", token: tokens.access)
            #expect(again["avatar"] == path)
            #expect(try await world.events(AccountChanged.self).count == 1)
            let other = try await world.upload(
                "accounts/me/avatar", SampleFiles.png, as: "image/png; x=1", token: tokens.access)
            #expect(other["avatar"] != path)
            #expect(try await world.send("GET", String(path.dropFirst("/identity/".count))).status == 404)
            for _ in 0..<2 {
                #expect(try await world.send("DELETE", "v1/accounts/me/avatar", token: tokens.access).status == 204)
            }
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access)["avatar"] == logo)
            #expect(try await world.events(AccountChanged.self).last?.account.avatar == nil)
        }
    }

    @Test("I6: two people with the same picture have two addresses, and one's is not found from the picture")
    func addresses() async throws {
        try await World.run { world async throws in
            var paths: [String?] = []
            for _ in 0..<2 {
                let tokens = try await world.join(Person())
                paths.append(
                    try await world.upload(
                        "accounts/me/avatar", SampleFiles.png, as: "image/png", token: tokens.access)["avatar"])
            }
            #expect(Set(paths).count == 2)
            let zeroes = String(repeating: "0", count: 63)
            for name in ["x", zeroes + "0", String(repeating: "é", count: 32), zeroes + "\u{0}", zeroes + "F"] {
                #expect(try await world.send("GET", "v1/avatars/\(name.urlText)").status == 404)
            }
        }
    }

    @Test("I6, P11: an upload as a generated client sends it, without its kind, is what its bytes are")
    func withoutKind() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let answer = try await world.upload(
                "accounts/me/avatar", SampleFiles.jpeg, as: "application/octet-stream", token: tokens.access)
            #expect(answer.status == 200)
        }
    }

    @Test("I6, P10: an upload that lies about its kind, is damaged or too large is refused and changes nothing")
    func refused() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let script = Array("<html><script>alert(1)</script></html>".utf8)
            let uploads: [([UInt8], String, Int, String)] = [
                (SampleFiles.png, "image/jpeg", 422, "file-refused"), (script, "image/png", 422, "file-refused"),
                (script, "text/html", 415, "unsupported-media-type"),
                (
                    Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), "image/svg+xml", 415,
                    "unsupported-media-type"
                ),
                (SampleFiles.pdf, "application/pdf", 415, "unsupported-media-type"),
                (SampleFiles.pdf, "image/png", 422, "file-refused"), ([], "image/png", 422, "file-refused"),
                (SampleFiles.pdf, "application/octet-stream", 422, "file-refused"),
                (script, "application/octet-stream", 422, "file-refused"),
                (Array(SampleFiles.jpeg.prefix(400)), "image/jpeg", 422, "file-refused"),
                (Self.huge, "image/png", 422, "image-too-large"),
                (
                    SampleFiles.png + [UInt8](repeating: 0, count: ChangeAvatar.maximumBytes), "image/png", 413,
                    "body-too-large"
                ),
            ]
            for (bytes, type, status, slug) in uploads {
                let answer = try await world.upload("accounts/me/avatar", bytes, as: type, token: tokens.access)
                #expect(answer.status == status, "\(type) \(bytes.count)")
                #expect(answer.slug == slug)
            }
            #expect(try await world.events(AccountChanged.self).isEmpty)
            let expired = try await world.expired(tokens)
            for token in [nil, expired] {
                let answer = try await world.upload(
                    "accounts/me/avatar", SampleFiles.png, as: "image/png", token: token)
                #expect(answer.status == 401)
            }
        }
    }

    @Test("I6: what stands where there is no picture is the market's, and can run nothing")
    func logo() async throws {
        try await World.run { world async throws in
            let logo = try await world.send("GET", "v1/markets/assef/logo")
            #expect(logo.headers["content-type"] == "image/svg+xml")
            #expect(logo.headers["content-security-policy"]?.contains("sandbox") == true)
            #expect(logo.description.contains(">A</text>"))
            #expect(try await world.send("GET", "v1/markets/mars/logo").status == 404)
        }
    }

    /// 5000 pixels a side in some bytes.
    private static let huge: [UInt8] = {
        let header: [UInt8] = [0, 0, 0x13, 0x88, 0, 0, 0x13, 0x88, 8, 2, 0, 0, 0]
        return PNGFile.signature + PNGFile.chunk(Array("IHDR".utf8), header)
            + PNGFile.chunk(Array("IDAT".utf8), [1]) + PNGFile.chunk(Array("IEND".utf8), [])
    }()
}

extension String {
    fileprivate var urlText: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
}
