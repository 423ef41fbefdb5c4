import AMQP
import Messaging
import PollThread
import Postgres
import ServiceKit

struct AdminService: SeraiService {
    static let name = "admin"
    static let about = "Admin."
    static let keys: [AnyConfigurationKey] = []
    static let migrations = MessagingMigrations.all + IdempotencyStore.migrations

    static let catalogues: [Language: [UInt8]] = [
        .english: PackageResources.en_json, .arabic: PackageResources.ar_json,
    ]

    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent] {
        let (_, database) = try bootstrap.database(on: PollThread(name: "postgres"))
        let http = try bootstrap.http(verifier: try await bootstrap.tokenVerifier()) { router in
            router.addOpenAPI(service: name, document: PackageResources.openapi_yaml)
        }
        return [database, http.component]
    }
}
