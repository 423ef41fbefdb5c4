import HTTPTypes
import Hummingbird

/// Says of each answer with words in it which language they are in (RFC 9110, 8.5), where the route has not said so.
struct LanguageMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        // Afterwards: whose request it is, and so which language it is answered in, is known further inside.
        return response.inLanguage(context.language)
    }
}

extension Response {
    /// The same answer with `Content-Language` and `Vary`. Not of what is the same for everybody and has no words, keys for
    /// example, nor of files.
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
