import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Postgres

/// Turns every error into an `application/problem+json` answer in the caller's language. This is the only place where
/// errors meet HTTP: an error's own text never leaves the service.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    let catalogue: ProblemCatalogue

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = Self.problem(error, deadline: context.deadline, bodyLimitBytes: context.maxUploadSize)
            context.record.update { $0.problemSlug = problem.slug }
            if problem.status.code >= 500 { log(error, problem, context) }
            let endsConnection = problem.status == .contentTooLarge || problem.status == .requestTimeout
            if endsConnection { context.closeSoon() }
            var response = problem.response(
                language: context.language, catalogue: catalogue, requestID: context.requestID)
            response.headers[.vary] = "Accept-Language"
            if endsConnection { response.headers[.connection] = "close" }
            return response
        }
    }

    static func problem(_ error: any Error, deadline: ContinuousClock.Instant, bodyLimitBytes: Int) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as any ProblemConvertible: return error.problem
        case is NIOTooManyBytesError: return .bodyTooLarge(limitBytes: bodyLimitBytes)
        case let error as DecodingError: return Problem(error)
        case is SlowRequest: return .requestTimeout
        case let error where isHangUp(error): return .clientClosedRequest
        case is HTTPParserError: return Problem.plain(.badRequest)
        case let error as HTTPError where error.status == .contentTooLarge:
            return .bodyTooLarge(limitBytes: bodyLimitBytes)
        case let error as any HTTPResponseError: return .plain(error.status)
        default:
            // A cancelled request fails in different ways in the layers below; the reason of the cancellation is known
            // here.
            if error is CancellationError || Task.isCancelled {
                return ContinuousClock.now >= deadline ? .deadlineExceeded : .unavailable
            }
            // The transaction waited for a row too long, or failed in every try: the request may be repeated, as after
            // an outage.
            let isPassing = (error as? PostgresError).map { $0.isOutage || $0.isTransient } ?? false
            return isPassing ? .unavailable : .internalError
        }
    }

    /// Whether the client closed the connection while its request was being read.
    private static func isHangUp(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPParserError: error == .invalidEOFState
        case let error as ChannelError: error == .eof || error == .ioOnClosedChannel || error == .inputClosed
        case let error as IOError: [ECONNRESET, EPIPE, ECONNABORTED].contains(error.errnoCode)
        default: false
        }
    }

    private func log(_ error: any Error, _ problem: Problem, _ context: Context) {
        context.logger.error(
            "request failed",
            metadata: [
                LogKeys.problem: "\(problem.slug)", LogKeys.route: "\(context.endpointPath ?? "none")",
                LogKeys.errorType: "\(type(of: error))", LogKeys.error: "\(String(describing: error).prefix(500))",
            ])
    }
}
