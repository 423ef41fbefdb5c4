public import Foundation
public import Hummingbird
import Messaging
import NIOCore
import SeraiJSON

/// Reads JSON bodies. Every error of the client becomes a ``Problem``: wrong media type, too large, not JSON, a wrong
/// field.
public struct JSONBodyDecoder: RequestDecoder {
    public init() {}

    public func decode<Value: Decodable>(
        _ type: Value.Type, from request: Request, context: some RequestContext
    ) async throws -> Value {
        let data = try await request.jsonData(context: context)
        do {
            return try JSON.answer.decode(type, data)
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

/// Writes answers in the form ``JSON/answer``.
public struct JSONAnswerEncoder: ResponseEncoder {
    public init() {}

    public func encode(
        _ value: some Encodable, from request: Request, context: some RequestContext
    ) throws -> Response {
        try .json(.ok, value)
    }
}

extension Response {
    /// An answer whose body is the value as JSON.
    ///
    /// - Parameter location: the address of a created resource; nil for none.
    public static func json(
        _ status: HTTPResponse.Status, _ value: some Encodable, at location: String? = nil
    ) throws -> Response {
        let body = try JSON.answer.encode(value)
        let response = Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .contentLength: String(body.count)],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
        return location.map { response.located(at: $0) } ?? response
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
