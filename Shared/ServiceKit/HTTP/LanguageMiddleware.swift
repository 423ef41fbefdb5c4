import HTTPTypes
import Hummingbird

/// Sets the language of each answer with texts (RFC 9110, 8.5), unless the route has set it.
struct LanguageMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        // After the route: the caller, and so the language of the answer, is only known further inside.
        return response.inLanguage(context.language)
    }
}

extension Response {
    /// The same answer with `Content-Language` and `Vary`. Not for answers that are the same for all clients and have
    /// no texts, such as keys, nor for files.
    func inLanguage(_ language: Language) -> Response {
        guard headers[.contentLanguage] == nil, let type = headers[.contentType],
            type.hasPrefix("application/json") || type.hasPrefix("text/csv"),
            headers[.cacheControl]?.hasPrefix("public") != true
        else { return self }
        var response = self
        response.headers[.contentLanguage] = language.rawValue
        let varies = headers[values: .vary].contains { $0.lowercased().contains("accept-language") }
        if !varies { response.headers.append(HTTPField(name: .vary, value: "Accept-Language")) }
        return response
    }
}
