import Foundation
import Hummingbird
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import ServiceKit

/// A whole small service, as ServiceKit's README shows it: a word from the configuration, one feature with one route.
struct GreetingService: FeatureService {
    static let name = "greeting"
    static let about = "Greets."
    static let keys = [word.erased]
    static let word = ConfigurationKey<String>("greeting.word", "What to say.", default: "Hello")
    static let ownMigrations: [Migration] = [
        Migration(
            component: name, version: 1, name: "greetings",
            sql: "CREATE TABLE greetings (id uuid PRIMARY KEY, account uuid NOT NULL, name text NOT NULL)")
    ]
    static let openAPI = Array("openapi: 3.1.0\n".utf8)

    static func parts(_ base: ServiceBase) -> ServiceBase { base }

    static func features(_ base: ServiceBase) throws -> [Feature] {
        [.greetings(base, word: try base.bootstrap.configuration[word])]
    }
}

extension Feature {
    static func greetings(_ base: ServiceBase, word: String) -> Feature {
        Feature(
            "greetings",
            routes: { routes in
                routes.signedIn.post("greetings") { request, context in
                    let once = try await IdempotentRequest(request, context: context)
                    let form = try await once.request.form(context: context)
                    let name = form.string("name", length: 1...100)
                    guard let name, form.isValid else { throw form.problem }
                    return try await base.idempotency.answer(once) { transaction in
                        transaction.send(InsertGreeting(name: name, account: context.caller.accountID))
                        return Response(
                            status: .created, body: .init(byteBuffer: ByteBuffer(string: "\(word), \(name)")))
                    }
                }
            })
    }
}

struct InsertGreeting: Statement {
    static let sql: SQL = "INSERT INTO greetings (id, account, name) VALUES ($1, $2, $3)"
    let name: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(UUID.timeOrdered(), account, name) }
}
