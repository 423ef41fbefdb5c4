import Foundation
import HTTPTypes
import Hummingbird
import SeraiJSON

/// A problem with its texts: the JSON object of RFC 9457 for the caller.
struct ProblemDocument: Encodable {
    struct Field: Encodable {
        let field: String
        let code: String
        let detail: String
    }

    let members: [String: JSONValue]

    init(_ problem: Problem, language: Language, catalogue: ProblemCatalogue, requestID: String) {
        // Extensions first, so that they cannot replace members of the standard.
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
    /// The answer. Never fails: if encoding fails, the status and the headers are still sent.
    func response(language: Language, catalogue: ProblemCatalogue, requestID: String) -> Response {
        let document = ProblemDocument(self, language: language, catalogue: catalogue, requestID: requestID)
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.contentLanguage] = language.rawValue
        headers[.cacheControl] = "no-store"
        // try?: a tree of JSON values always encodes, except for numbers that are not finite.
        let body = (try? JSON.answer.encode(document)) ?? []
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
