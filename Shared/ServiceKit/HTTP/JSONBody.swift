public import Foundation
public import Hummingbird
import Messaging
import NIOCore

/// Reads JSON bodies. Every error of the client becomes a ``Problem``: wrong media type, too large, not JSON, a wrong
/// field.
public struct JSONBodyDecoder: RequestDecoder {
    public init() {}

    public func decode<Value: Decodable>(
        _ type: Value.Type, from request: Request, context: some RequestContext
    ) async throws -> Value {
        let data = try await request.jsonData(context: context)
        do {
            return try JSONDecoder.service.decode(type, from: data)
        } catch let error as DecodingError {
            throw Problem(error)
        }
    }
}

extension Request {
    /// The body as a ``Form``, which reads all fields and collects all errors.
    ///
    /// - Throws: ``Problem`` when the body is not JSON.
    public func form(context: some RequestContext) async throws -> Form {
        let data = try await jsonData(context: context)
        do {
            return Form(try JSONValue(parsing: data))
        } catch {
            throw Problem.malformedBody
        }
    }

    func jsonData(context: some RequestContext) async throws -> Data {
        guard Self.isJSON(headers[.contentType]) else { throw Problem.unsupportedMediaType }
        let limit = context.maxUploadSize
        do {
            return Data((try await body.collect(upTo: limit)).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limitBytes: limit)
        }
    }

    private static func isJSON(_ contentType: String?) -> Bool {
        guard let type = contentType?.split(separator: ";").first?.trimming(while: \.isWhitespace).lowercased() else {
            return false
        }
        return type == "application/json" || (type.hasPrefix("application/") && type.hasSuffix("+json"))
    }
}

extension JSONDecoder {
    /// Times are RFC 3339, with or without fractions of a second.
    public static let service: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = Timestamp.parse(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
            }
            return date
        }
        return decoder
    }()
}

extension JSONEncoder {
    /// Times are RFC 3339 in UTC with milliseconds; slashes are not escaped. Keys are sorted, so that equal answers
    /// have equal bytes and entity tags.
    public static let service: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        return encoder
    }()
}

extension JSONEncoder {
    /// As ``service``, with the members of objects sorted by name.
    static let ordered: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = service.dateEncodingStrategy
        return encoder
    }()
}

/// Writes answers as JSON: by their own writer if they have one, else by Foundation.
public struct JSONAnswerEncoder: ResponseEncoder {
    public init() {}

    public func encode(
        _ value: some Encodable, from request: Request, context: some RequestContext
    ) throws -> Response {
        guard let body = (value as? any UsuallyWritten)?.usualBody else {
            return try JSONEncoder.service.encode(value, from: request, context: context)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8", .contentLength: String(body.count)],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension RequestContext {
    /// An id in the path. A text that is no UUID names nothing, so it is a 404.
    ///
    /// - Throws: a 404 ``Problem``.
    public func uuid(_ parameter: String) throws(Problem) -> UUID {
        guard let uuid = parameters.get(parameter).flatMap(UUID.init(uuidString:)) else { throw .notFound }
        return uuid
    }
}
