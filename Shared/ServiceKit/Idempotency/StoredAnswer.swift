import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import NIOCore

/// An answer that can be sent again.
struct StoredAnswer: Codable, Equatable {
    /// Larger answers are not stored.
    static let maximumBytes = 1_048_576

    struct Field: Codable, Equatable {
        let name: String
        let value: String
    }

    let status: Int
    let headers: [Field]
    let body: Data

    /// Headers of one transmission, or set again for each.
    private static let transientHeaders: Set<HTTPField.Name> = [
        .contentLength, .date, .connection, .transferEncoding, .requestID, .idempotencyReplayed,
    ]

    /// Statuses about the moment, not about the request.
    private static let passingStatuses: Set<Int> = [401, 408, 425, 429]

    static func isKept(_ status: HTTPResponse.Status) -> Bool {
        status.code < 500 && !passingStatuses.contains(status.code)
    }

    /// Reads the body of an answer, which is possible only once, and returns an answer that can still be sent.
    ///
    /// - Returns: no stored answer when the body is too large.
    static func taking(_ response: Response) async throws -> (stored: StoredAnswer?, response: Response) {
        if let length = response.body.contentLength, length > maximumBytes { return (nil, response) }
        let collected = BodyCollector.Bytes()
        try await response.body.write(BodyCollector(bytes: collected))
        let buffer = collected.buffer
        var sendable = response
        sendable.body = ResponseBody(byteBuffer: buffer)
        guard buffer.readableBytes <= maximumBytes else { return (nil, sendable) }
        let headers = response.headers.filter { !transientHeaders.contains($0.name) }
            .map { Field(name: $0.name.canonicalName, value: $0.value) }
        let stored = StoredAnswer(
            status: response.status.code, headers: headers, body: Data(buffer.readableBytesView))
        return (stored, sendable)
    }

    /// The stored answer, marked `Idempotency-Replayed: true`.
    var response: Response {
        var fields = HTTPFields()
        for header in headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        fields[.idempotencyReplayed] = "true"
        return Response(
            status: HTTPResponse.Status(code: status), headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// Collects a response's body in memory.
private struct BodyCollector: ResponseBodyWriter {
    /// One task writes, then one reads.
    final class Bytes {
        var buffer = ByteBuffer()
    }

    let bytes: Bytes

    mutating func write(_ buffer: ByteBuffer) async throws { bytes.buffer.writeImmutableBuffer(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
