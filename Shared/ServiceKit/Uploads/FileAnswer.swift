import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore

extension Response {
    /// An uploaded file, answered so that a browser only shows or saves it: with its real type, without scripts and
    /// without a page's rights.
    ///
    /// - Parameters:
    ///   - name: letters, digits and hyphens.
    ///   - isInline: whether a page may show it; otherwise it is saved.
    ///   - cache: a `Cache-Control`.
    public static func file(
        _ bytes: [UInt8], mediaType: String, name: String, isInline: Bool = false, cache: String = "private, no-store"
    ) -> Response {
        let kind = FileKind(rawValue: mediaType)
        let file = kind.map { "\(name).\($0.fileExtension)" } ?? name
        var headers: HTTPFields = [
            .contentType: kind?.mediaType ?? "application/octet-stream",
            .contentDisposition: "\(isInline ? "inline" : "attachment"); filename=\"\(file)\"",
            .contentSecurityPolicy: "default-src 'none'; sandbox; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff", .cacheControl: cache,
        ]
        if let policy = HTTPField.Name("Cross-Origin-Resource-Policy") { headers[policy] = "same-site" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Request {
    /// The body of an upload. The declared type is `application/octet-stream`, which generated clients send, or that of an
    /// allowed kind, which then must be the kind of the bytes.
    ///
    /// - Throws: a 415 ``Problem`` for a type that is not allowed, a 422 when the bytes are of another kind, a 413.
    public func upload(of kinds: Set<FileKind>, context: AuthenticatedContext) async throws -> [UInt8] {
        let type = headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        let said = type.flatMap(FileKind.init(rawValue:))
        guard type == "application/octet-stream" || said.map(kinds.contains) == true else {
            throw Problem(
                "unsupported-media-type", status: .unsupportedMediaType,
                arguments: ["expected": kinds.map(\.mediaType).sorted().joined(separator: ", ")])
        }
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: context.maxUploadSize)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limitBytes: context.maxUploadSize)
        }
        let bytes = Array(buffer.readableBytesView)
        guard let kind = FileKind(sniffing: bytes), kinds.contains(kind), said == nil || said == kind else {
            throw FileFault.unreadable
        }
        return bytes
    }
}
