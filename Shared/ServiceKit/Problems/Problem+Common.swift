import HTTPTypes
import SeraiJSON

extension Problem {
    /// 422: the input can be read, but some fields are wrong.
    public static func invalidFields(_ fields: [FieldProblem]) -> Problem {
        Problem("invalid-fields", status: .unprocessableContent, fields: fields)
    }

    /// 400: the body is not JSON.
    public static let malformedBody = Problem("malformed-body", status: .badRequest)
    /// 415
    public static let unsupportedMediaType = Problem(
        "unsupported-media-type", status: .unsupportedMediaType, arguments: ["expected": "application/json"])

    /// 413
    public static func bodyTooLarge(limitBytes: Int) -> Problem {
        Problem(
            "body-too-large", status: .contentTooLarge, arguments: ["limit": size(limitBytes)],
            extensions: ["limitBytes": .integer(Int64(limitBytes))])
    }

    /// `10 MB`, `256 kB`: the usual form of file sizes.
    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case 1_048_576...: "\(bytes / 1_048_576) MB"
        case 1_024...: "\(bytes / 1_024) kB"
        default: "\(bytes) B"
        }
    }

    /// 401: no token, or a refused one. The reason is not given.
    public static let unauthenticated = Problem(
        "unauthenticated", status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
    /// 401: the token has expired; refresh it.
    public static let tokenExpired = Problem(
        "token-expired", status: .unauthorized,
        headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\", error_description=\"expired\""])
    /// 401
    public static let invalidToken = Problem(
        "unauthenticated", status: .unauthorized, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
    /// 403
    public static let forbidden = Problem("forbidden", status: .forbidden)
    /// A person of a market's support asked for an act of its admins.
    public static let supportReadsOnly = Problem("support-reads-only", status: .forbidden)
    /// 403: the caller has not accepted the market's terms in their present version (X8).
    public static func termsNotAccepted(in market: String) -> Problem {
        Problem("terms-not-accepted", status: .forbidden, extensions: ["market": .string(market)])
    }
    /// 403: a person who began or requested something, or is a party of it, may not decide about it.
    public static let ownMatter = Problem("own-matter", status: .forbidden)
    /// 404
    public static let notFound = Problem("not-found", status: .notFound)

    /// 406
    public static let notAcceptable = Problem("not-acceptable", status: .notAcceptable)
    /// 408: the request comes too slowly.
    public static let requestTimeout = Problem("request-timeout", status: .requestTimeout)
    /// 499, as other servers use it: the client has gone before the answer. Only metrics and logs use it.
    static let clientClosedRequest = Problem(
        "client-closed-request", status: .init(code: 499, reasonPhrase: "Client Closed Request"))

    /// 409: the account is being deleted; nothing new may begin for it. See ``AccountDeletionGuard``.
    public static let accountLeaving = Problem("account-leaving", status: .conflict, headers: [.retryAfter: "2"])

    /// 429
    public static func tooManyRequests(retryAfterSeconds: Int) -> Problem {
        Problem(
            "too-many-requests", status: .tooManyRequests, arguments: ["seconds": String(retryAfterSeconds)],
            extensions: ["retryAfterSeconds": .integer(Int64(retryAfterSeconds))],
            headers: [.retryAfter: String(retryAfterSeconds)])
    }

    /// 503: the request exceeded its time.
    public static let deadlineExceeded = Problem(
        "deadline-exceeded", status: .serviceUnavailable, headers: [.retryAfter: "1"])
    /// 503: something that the service needs does not answer.
    public static let unavailable = Problem("unavailable", status: .serviceUnavailable, headers: [.retryAfter: "2"])
    /// 500
    public static let internalError = Problem("internal-error", status: .internalServerError)

    /// For errors of which only the status is known.
    static func plain(_ status: HTTPResponse.Status) -> Problem {
        switch status.code {
        case 400: Problem("bad-request", status: status)
        case 401: .unauthenticated
        case 403: .forbidden
        case 404: .notFound
        case 405: Problem("method-not-allowed", status: status)
        case 413: Problem("body-too-large", status: status, arguments: ["limit": ""])
        case 415: .unsupportedMediaType
        case 503: .unavailable
        case 400..<500: Problem("bad-request", status: status)
        default: Problem("internal-error", status: status)
        }
    }
}
