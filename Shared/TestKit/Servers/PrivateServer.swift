import Foundation
import Glibc

/// A server of one test's own, which does not wait for the disk, in a folder of its own, run by one of the server scripts.
struct PrivateServer: Sendable {
    let script: ServerScript
    /// `.local/tmp/PID-KIND-ID`; by the process id `scripts/env-up` removes what a killed test process left.
    let directory: URL

    static func started(kind: String, options: [String]) async throws -> PrivateServer {
        let id = UUID().uuidString.prefix(8).lowercased()
        let server = PrivateServer(
            script: ServerScript(name: "\(kind)-server"),
            directory: TestServers.projectDirectory.appending(path: ".local/tmp/\(getpid())-\(kind)-\(id)"))
        do {
            try await server.run("start", ["--unsynced"] + options)
        } catch {
            await server.remove()
            throw error
        }
        return server
    }

    @discardableResult
    func run(_ verb: String, _ arguments: [String] = []) async throws -> String {
        try await script.run([verb, directory.path(percentEncoded: false)] + arguments)
    }

    /// The first line of one of the server's files.
    func line(_ file: String) throws -> String {
        let text = try String(contentsOf: directory.appending(path: file), encoding: .utf8)
        return String(text.prefix { $0 != "\n" })
    }

    func authority() -> String {
        directory.appending(path: "tls/ca.pem").path(percentEncoded: false)
    }

    /// Ends the server at once and deletes its folder.
    func remove() async {
        do {
            try await run("remove")
        } catch {
            // The test's own result matters more; the message tells what to clean by hand.
            FileHandle.standardError.write(Data("could not remove \(directory.path()): \(error)\n".utf8))
        }
    }
}

/// Runs the body and then removes the server, whether the body returns or throws.
func removing<R>(_ server: PrivateServer, after body: () async throws -> R) async throws -> R {
    let result: R
    do {
        result = try await body()
    } catch {
        await server.remove()
        throw error
    }
    await server.remove()
    return result
}
