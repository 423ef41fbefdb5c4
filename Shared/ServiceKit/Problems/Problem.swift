public import HTTPTypes
public import SeraiJSON

/// A failure as the caller sees it (RFC 9457, `application/problem+json`). It is an error: throw it.
///
/// It contains no text. A ``ProblemCatalogue`` turns the slug and the arguments into the caller's language in one
/// place, when the answer is written. The `type` is `urn:serai:problem:<slug>` and never changes its meaning.
public struct Problem: Error, Sendable, Equatable {
    /// Lower case with hyphens: `order-already-accepted`.
    public let slug: String
    public let status: HTTPResponse.Status
    /// For the placeholders of the catalogue's title and detail.
    public let arguments: [String: String]
    public let fields: [FieldProblem]
    /// Further members of the answer, for programs. Their names must not be those of RFC 9457 or `errors`.
    public let extensions: [String: JSONValue]
    public let headers: HTTPFields

    public init(
        _ slug: String, status: HTTPResponse.Status, arguments: [String: String] = [:], fields: [FieldProblem] = [],
        extensions: [String: JSONValue] = [:], headers: HTTPFields = [:]
    ) {
        self.slug = slug
        self.status = status
        self.arguments = arguments
        self.fields = fields
        self.extensions = extensions
        self.headers = headers
    }

    public var type: String { "urn:serai:problem:" + slug }
}

/// One wrong field of the input.
public struct FieldProblem: Sendable, Equatable {
    /// The place in the body; for query parameters and headers the name as a single token.
    public let pointer: JSONPointer
    /// Lower case with hyphens, for programs: `too-long`. Its text is `field.<code>` in the catalogue.
    public let code: String
    public let arguments: [String: String]

    public init(_ pointer: JSONPointer, _ code: String, _ arguments: [String: String] = [:]) {
        self.pointer = pointer
        self.code = code
        self.arguments = arguments
    }
}

/// An error of a service's domain that callers may see. Each service maps its own errors in one place.
public protocol ProblemConvertible: Error {
    var problem: Problem { get }
}
