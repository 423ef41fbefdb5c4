public import Foundation

/// A request and its answer, as they went over the wire.
public struct HTTPExchange: Sendable {
    public var method: String
    /// Without the query.
    public var path: String
    public var requestType: String?
    public var requestBody: Data?
    public var status: Int
    /// The answer's content type.
    public var answerType: String?
    public var answerBody: Data
    /// The answer's `Location`.
    public var location: String?

    public init(
        _ method: String, _ path: String, requestType: String? = nil, requestBody: Data? = nil, status: Int,
        answerType: String? = nil, answerBody: Data = Data(), location: String? = nil
    ) {
        self.method = method
        self.path = path
        self.requestType = requestType
        self.requestBody = requestBody
        self.status = status
        self.answerType = answerType
        self.answerBody = answerBody
        self.location = location
    }
}

/// What an OpenAPI 3.1 document promises of requests and answers, to be held against those that there were.
///
/// An answer's status must be one of the operation's, its content type one of the answer's, and JSON must fit the
/// schema. The same holds for the request where the service accepted it. An object has no members but the described
/// ones, unless its schema gives `additionalProperties`.
///
/// An operation's `default` stands for what any operation may answer (``commonStatuses``) and for nothing else: what is
/// its own, a 404 or a 409, is written beside it.
public struct OpenAPIContract: Sendable {
    /// A request that cannot be read or is too large, no or no good token, too many requests, and a service that is not
    /// there.
    public static let commonStatuses: Set = [400, 401, 413, 415, 429, 503]

    private let operations: [ContractOperation]
    private let check: SchemaCheck

    /// - Throws: ``DocumentFault`` for a schema with a keyword that is not known here, and for a reference to nothing.
    public init(yaml: String) throws {
        let root = try JSONTree(yaml: yaml)
        guard root["openapi"]?.text?.hasPrefix("3.1") == true, let paths = root["paths"]?.members else {
            throw DocumentFault("not an OpenAPI 3.1 document")
        }
        var schemas: [String: JSONSchema] = [:]
        for (name, schema) in root["components"]?["schemas"]?.members ?? [:] {
            schemas[name] = try JSONSchema(schema, at: "/components/schemas\(pointerToken(name))")
        }
        let reader = ContractReader(components: root["components"] ?? .object([:]))
        operations = try reader.operations(paths)
        check = SchemaCheck(schemas: schemas)
        let used = operations.flatMap(\.schemas) + schemas.values
        for name in used.reduce(into: Set<String>(), { $0.formUnion($1.references) }).sorted()
        where schemas[name] == nil {
            throw DocumentFault("/components/schemas\(pointerToken(name)): is referred to and not there")
        }
    }

    /// What in the exchange is not as the document says; each with the method, the path and the status.
    public func faults(in exchange: HTTPExchange) -> [String] {
        let head = "\(exchange.method) \(exchange.path) \(exchange.status)"
        guard let operation = operation(exchange.method, exchange.path) else {
            return ["\(head): the document has no such operation"]
        }
        var faults: [String] = []
        if (200..<300).contains(exchange.status) {
            faults += requestFaults(exchange, operation).map { "\(head): the request: \($0)" }
        }
        return faults + answerFaults(exchange, operation).map { "\(head): the answer: \($0)" }
    }

    /// The one with the most literal parts: `/orders/search` before `/orders/{order}`.
    private func operation(_ method: String, _ path: String) -> ContractOperation? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return operations.filter { $0.method == method && $0.matches(parts) }.max { $0.literals < $1.literals }
    }

    private func requestFaults(_ exchange: HTTPExchange, _ operation: ContractOperation) -> [String] {
        let body = exchange.requestBody ?? Data()
        guard let request = operation.request else {
            // A client may say with an empty object that it has nothing to say.
            return body.isEmpty || String(decoding: body, as: UTF8.self) == "{}" ? [] : ["has a body"]
        }
        if body.isEmpty { return request.isRequired ? ["has no body"] : [] }
        return faults(of: body, type: exchange.requestType, by: request.content)
    }

    private func answerFaults(_ exchange: HTTPExchange, _ operation: ContractOperation) -> [String] {
        let isCommon = Self.commonStatuses.contains(exchange.status)
        let listed = operation.answers["\(exchange.status)"] ?? (isCommon ? operation.answers["default"] : nil)
        guard let content = listed else { return ["the status is not documented"] }
        let located = locationFaults(exchange, operation)
        guard located.isEmpty else { return located }
        if content.isEmpty { return exchange.answerBody.isEmpty ? [] : ["has a body"] }
        return faults(of: exchange.answerBody, type: exchange.answerType, by: content)
    }

    /// What was made is found at the answer's `Location`: a path of the document.
    private func locationFaults(_ exchange: HTTPExchange, _ operation: ContractOperation) -> [String] {
        let isPromised = operation.located.contains("\(exchange.status)")
        guard let location = exchange.location else {
            return isPromised || exchange.status == 201 ? ["has no Location"] : []
        }
        guard isPromised else { return ["the Location is not documented"] }
        let parts = location.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return operations.contains { $0.matches(parts) } ? [] : ["the Location is no path of the document: \(location)"]
    }

    /// Answers to which the document promises no `Location` although they say that something was made: each with its method
    /// and path.
    public var createdWithoutLocation: [String] {
        operations.filter { $0.answers["201"] != nil && !$0.located.contains("201") }
            .map { "\($0.method) \($0.parts.joined(separator: "/"))" }.sorted()
    }

    private func faults(of body: Data, type: String?, by content: [ContractMedia]) -> [String] {
        let named = type.flatMap { $0.split(separator: ";").first }?.trimmingCharacters(in: .whitespaces).lowercased()
        guard let named, let media = content.first(where: { $0.accepts(named) }) else {
            return ["the content type is not documented: \(type ?? "none")"]
        }
        guard let schema = media.schema, named == "application/json" || named.hasSuffix("+json") else { return [] }
        do {
            return check.faults(of: try JSONTree(json: body), by: schema)
        } catch {
            return ["is no JSON: \(error)"]
        }
    }
}

/// One method of one path.
struct ContractOperation: Sendable {
    struct Request: Sendable {
        let isRequired: Bool
        let content: [ContractMedia]
    }

    /// Upper case.
    let method: String
    /// The path's parts between slashes; a parameter is `{name}`, with or without text around it.
    let parts: [String]
    let request: Request?
    /// By status, or `default`. Empty where there is no body.
    let answers: [String: [ContractMedia]]
    /// The statuses whose answers have a `Location`.
    var located: Set<String> = []

    var literals: Int { parts.count { !$0.contains("{") } }

    var schemas: [JSONSchema] {
        ((request?.content ?? []) + answers.values.flatMap { $0 }).compactMap(\.schema)
    }

    func matches(_ path: [String]) -> Bool {
        path.count == parts.count && zip(parts, path).allSatisfy { Self.matches($1, part: $0) }
    }

    private static func matches(_ text: String, part: String) -> Bool {
        guard let open = part.firstIndex(of: "{"), let close = part.lastIndex(of: "}") else { return text == part }
        let (start, end) = (part[..<open], part[part.index(after: close)...])
        return text.hasPrefix(start) && text.hasSuffix(end) && text.count > start.count + end.count
    }
}

/// A content type and what such a body must be; nil where the document gives no schema.
struct ContractMedia: Sendable {
    /// Lower case; `image/*` accepts all pictures.
    let type: String
    let schema: JSONSchema?

    func accepts(_ named: String) -> Bool {
        type == named || type == "*/*" || (type.hasSuffix("/*") && named.hasPrefix(type.dropLast()))
    }
}
