import AMQP
import Messaging
import PollThread
import Postgres
import ServiceKit

struct WalletService: SeraiService {
    static let name = "wallet"
    static let about = "Wallet."
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
