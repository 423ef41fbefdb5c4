import Foundation
import HTTPTypes
public import Hummingbird
import Logging
public import Messaging
import NIOCore
import NIOHTTPTypes

/// The data of a request during its processing.
///
/// The middleware of ``HTTPServer`` fills it: request id and trace first, the caller after authentication. Routes that
/// need a caller use ``AuthenticatedContext`` instead.
public struct SeraiRequestContext: RequestContext, Sendable {
    public var coreContext: CoreRequestContextStorage
    /// The client's `X-Request-ID`, or a generated UUID version 7.
    public var requestID: String
    /// This request's own span.
    public var trace: TraceContext
    /// Nil for a request without an access token, or with a refused one.
    public var caller: Caller?
    /// Why the request's access token was refused; nil without a token, and with an accepted one.
    var tokenRefusal: Problem?
    /// When the request is cancelled.
    public var deadline: ContinuousClock.Instant
    /// The route's limit in bytes.
    public var maxUploadSize: Int
    /// The client's IP address: the peer's, or the one that a trusted proxy reports. Empty when there is none.
    public var clientAddress: String

    /// Closes the connection at once, for a streaming answer whose reader does not read.
    public let endConnection: @Sendable () -> Void

    let record: RequestRecord
    let peerAddress: String
    /// Closes the connection a moment after the answer, for bodies that are not read.
    let closeSoon: @Sendable () -> Void
    /// Tells the client to send its body.
    let sendContinue: @Sendable () -> Void

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        requestID = ""
        trace = .generate()
        deadline = .now + .seconds(60)
        maxUploadSize = 262_144
        record = RequestRecord()
        peerAddress = source.channel.remoteAddress?.ipAddress ?? ""
        clientAddress = peerAddress
        let channel = source.channel
        endConnection = { channel.close(promise: nil) }
        closeSoon = {
            channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        }
        sendContinue = { channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil) }
        // Hummingbird numbers requests for its own log lines; `request.id` replaces the number.
        logger[metadataKey: "hb.request.id"] = nil
    }

    /// Replaces Hummingbird's number.
    public var id: String { requestID }

    /// The language of Accept-Language, else the account's language, else that of ``prefer(_:)``, else English.
    public var language: Language { record.language }

    /// Answers callers without Accept-Language and without an account in this language.
    ///
    /// - Parameter language: the first of a market, where the path names one.
    public func prefer(_ language: Language?) { record.update { $0.marketLanguage = language } }

    /// The language of a person in a market: by Accept-Language among the market's languages, else the market's first.
    public func language(among languages: [Language]) -> Language { record.language(among: languages) }

    /// The key for counting a client: its address, for IPv6 the /64.
    public var clientLimitKey: String { ClientAddress.limitKey(clientAddress) }

    public var requestDecoder: JSONBodyDecoder { JSONBodyDecoder() }
    public var responseEncoder: JSONAnswerEncoder { JSONAnswerEncoder() }
}

/// A request with a known caller. Use it for a group of routes:
///
/// ```swift
/// router.group("dispatch/v1", context: AuthenticatedContext.self)
///     .get("orders") { request, context in … context.caller.accountID … }
/// ```
public struct AuthenticatedContext: ChildRequestContext, Sendable {
    public var coreContext: CoreRequestContextStorage
    public let caller: Caller
    public let requestID: String
    public let trace: TraceContext
    public let deadline: ContinuousClock.Instant
    public let maxUploadSize: Int
    public let clientAddress: String
    /// Closes the connection at once, for a streaming answer whose reader does not read.
    public let endConnection: @Sendable () -> Void
    private let record: RequestRecord

    /// - Throws: a 401 ``Problem`` without a caller.
    public init(context: SeraiRequestContext) throws {
        guard let caller = context.caller else { throw context.tokenRefusal ?? .unauthenticated }
        self.caller = caller
        coreContext = context.coreContext
        requestID = context.requestID
        trace = context.trace
        deadline = context.deadline
        maxUploadSize = context.maxUploadSize
        clientAddress = context.clientAddress
        endConnection = context.endConnection
        record = context.record
    }

    public var id: String { requestID }
    public var language: Language { record.language }
    /// See ``SeraiRequestContext/language(among:)``.
    public func language(among languages: [Language]) -> Language { record.language(among: languages) }
    /// The key for counting a client: its address, for IPv6 the /64.
    public var clientLimitKey: String { ClientAddress.limitKey(clientAddress) }
    public var requestDecoder: JSONBodyDecoder { JSONBodyDecoder() }
    public var responseEncoder: JSONAnswerEncoder { JSONAnswerEncoder() }
}
