import Foundation
import LocalPlatform

/// A server of one test's own, which does not wait for the disk, in a folder that the next `env-up` removes when the test
/// process was killed.
///
/// A cancelled test does not break off what is done to it: half a start or half a stop would leave processes behind.
struct PrivateServer<Server: LocalServer>: Sendable {
    let server: Server

    /// Runs the body with a started server; ends it and deletes its data afterwards, whether the body returns or throws.
    static func with<R>(
        _ kind: String, _ options: ServerOptions,
        _ make: (_ folder: String, ServerSystem, ServerOptions) -> Server,
        _ body: (PrivateServer) async throws -> R
    ) async throws -> R {
        var options = options
        options.isSynced = false
        let system = try ServerSystem(project: .current, variables: ProcessInfo.processInfo.environment)
        let folder = TestEnvironment.privateFolder(kind, in: .current)
        let server = PrivateServer(server: make(folder, system, options))
        let result: Result<R, any Error>
        do {
            try await server.whole { try await $0.start() }
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        do {
            try await server.whole { try await $0.remove() }
        } catch {
            // The test's own result matters more; the message tells what to clean by hand.
            FileHandle.standardError.write(Data("could not remove \(folder): \(error)\n".utf8))
        }
        return try result.get()
    }

    @discardableResult
    func whole<R: Sendable>(_ body: @escaping @Sendable (Server) async throws -> R) async throws -> R {
        try await Task { [server] in try await body(server) }.value
    }
}
