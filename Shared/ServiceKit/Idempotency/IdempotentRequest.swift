public import Foundation
public import Hummingbird
import Messaging
import NIOCore

/// A context that knows the caller.
public protocol ServiceRequestContext: RequestContext {
    /// Nil without a caller.
    var callerAccountID: UUID? { get }
    /// The language of the answer.
    var language: Language { get }
}

extension SeraiRequestContext: ServiceRequestContext {
    public var callerAccountID: UUID? { caller?.accountID }
}

extension AuthenticatedContext: ServiceRequestContext {
    public var callerAccountID: UUID? { caller.accountID }
}

/// A request with its Idempotency-Key: caller, route and input.
public struct IdempotentRequest: Sendable {
    /// The request, with its body in memory.
    public let request: Request
    let key: IdempotencyKey
    let scope: String
    let input: IdempotencyInput
    let language: Language

    /// Reads the key and the body.
    ///
    /// - Parameter secretFields: names of JSON members, at any depth, to leave out of the input, beside the common ones
    ///   (password, cvv, pin, otp, …).
    /// - Throws: ``Problem``: no key (400), an invalid key (400), a body that is too large (413).
    public init(_ request: Request, context: some ServiceRequestContext, secretFields: Set<String> = []) async throws {
        key = try IdempotencyKey(request.headers)
        var collected = request
        let limit = context.maxUploadSize
        let body: ByteBuffer
        do {
            body = try await collected.collectBody(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limitBytes: limit)
        }
        self.request = collected
        language = context.language
        let account = context.callerAccountID?.text ?? "anonymous"
        scope = "\(account) \(request.method.rawValue) \(context.endpointPath ?? request.uri.path)"
        let isJSON = request.headers[.contentType]?.lowercased().contains("json") ?? false
        input = IdempotencyInput(
            method: request.method, path: request.uri.string, body: Data(body.readableBytesView), isJSON: isJSON,
            secretFields: secretFields)
    }
}
