import Foundation
import HTTPTypes
import Hummingbird

/// A problem in words: the JSON object of RFC 9457 that goes to the caller.
struct ProblemDocument: Encodable {
    struct Field: Encodable {
        let field: String
        let code: String
        let detail: String
    }

    let members: [String: JSONValue]

    init(_ problem: Problem, language: Language, catalogue: ProblemCatalogue, requestID: String) {
        // Extensions first: they cannot replace the members of the standard.
        var members = problem.extensions
        members["type"] = .string(problem.type)
        members["status"] = .integer(Int64(problem.status.code))
        members["title"] = .string(
            catalogue.text("problem.\(problem.slug).title", in: language, problem.arguments)
                ?? problem.status.reasonPhrase)
        members["instance"] = .string("urn:serai:request:" + requestID)
        if let detail = catalogue.text("problem.\(problem.slug).detail", in: language, problem.arguments) {
            members["detail"] = .string(detail)
        }
        if !problem.fields.isEmpty {
            members["errors"] = .array(
                problem.fields.map { field in
                    let text = catalogue.text("field.\(field.code)", in: language, field.arguments)
                    return .object([
                        "field": .string(field.pointer.description), "code": .string(field.code),
                        "detail": .string(text ?? field.code),
                    ])
                })
        }
        self.members = members
    }

    func encode(to encoder: any Encoder) throws {
        try JSONValue.object(members).encode(to: encoder)
    }
}

extension Problem {
    /// The answer. Never fails: should encoding fail, the status and the headers still go out.
    func response(language: Language, catalogue: ProblemCatalogue, requestID: String) -> Response {
        let document = ProblemDocument(self, language: language, catalogue: catalogue, requestID: requestID)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.contentLanguage] = language.rawValue
        headers[.cacheControl] = "no-store"
        // try?: a tree of JSON values always encodes, except for numbers that are no numbers.
        let body = (try? encoder.encode(document)) ?? Data()
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
