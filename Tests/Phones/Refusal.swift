import Foundation

/// A service said no: a problem (RFC 9457), or an answer that is none.
public struct Refusal: Error, Sendable, CustomStringConvertible {
    public struct Field: Decodable, Sendable {
        /// A JSON pointer.
        public let field: String
        public let code: String
        public let detail: String?
    }

    public let status: Int
    /// What kind of problem: the last part of its `type`. Empty when the answer is no problem document.
    public let slug: String
    public let title: String?
    public let detail: String?
    public let fields: [Field]
    /// The state that stood in the way, where the problem names one.
    public let state: String?
    /// Method and path of what was asked.
    public let request: String

    init(status: Int, body: Data, request: String) {
        self.status = status
        self.request = request
        // try?: an answer that is no problem document has a status all the same.
        let document = try? PhoneJSON.decode(Document.self, from: body)
        slug = document?.type.flatMap { $0.split(separator: ":").last.map(String.init) } ?? ""
        title = document?.title
        detail = document?.detail
        fields = document?.errors ?? []
        state = document?.state
    }

    /// The wallet has not heard yet that the order was accepted, or that there is one.
    public var isBeforeAcceptance: Bool { status == 404 || (slug == "order-state" && state == "requested") }

    public var description: String {
        let faults = fields.map { "\($0.field) \($0.code)" }.joined(separator: ", ")
        return "\(request): \(status) \(slug) \(detail ?? title ?? "")\(state.map { " [\($0)]" } ?? "") \(faults)"
    }

    private struct Document: Decodable {
        let type: String?
        let title: String?
        let detail: String?
        let errors: [Field]?
        let state: String?
    }
}
