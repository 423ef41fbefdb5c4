import Foundation
import Locks
import Logging
import NIOSSL
import ServiceLifecycle

/// The certificate that the HTTP server shows, and its key, as two files in PEM. A service without them speaks HTTP in
/// the open.
///
/// New files are taken up while the service runs, see ``ServerCertificateReload``: connections that are open stay, and
/// new ones are shown the new certificate.
public final class ServerCertificate: Sendable {
    /// What was read, to see whether it has changed.
    private struct Files: Equatable {
        let certificate: Data
        let key: Data
    }

    private struct State {
        var files: Files
        var context: NIOSSLContext
    }

    let certificateFile: String
    let keyFile: String
    private let state: Mutex<State>

    /// - Throws: which of the two files cannot be read, or that they do not belong together.
    public init(certificateFile: String, keyFile: String) throws(ConfigurationError) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        let files = try Self.read(certificateFile, keyFile)
        state = Mutex(State(files: files, context: try Self.context(files, certificateFile, keyFile)))
    }

    /// Nil where the configuration names neither file.
    ///
    /// - Throws: also when it names one of them alone.
    convenience init?(_ configuration: ServiceConfiguration) throws(ConfigurationError) {
        let certificate = try configuration[CommonKeys.httpCertificateFile]
        let key = try configuration[CommonKeys.httpKeyFile]
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): try self.init(certificateFile: certificate, keyFile: key)
        case (nil, _): throw Self.missing(CommonKeys.httpCertificateFile)
        case (_, nil): throw Self.missing(CommonKeys.httpKeyFile)
        }
    }

    /// For the next connection.
    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Reads the files again.
    ///
    /// - Returns: whether they have changed.
    func reload() throws(ConfigurationError) -> Bool {
        let files = try Self.read(certificateFile, keyFile)
        guard state.withLock({ $0.files != files }) else { return false }
        let context = try Self.context(files, certificateFile, keyFile)
        state.withLock { $0 = State(files: files, context: context) }
        return true
    }

    private static func read(_ certificate: String, _ key: String) throws(ConfigurationError) -> Files {
        Files(certificate: try data(certificate), key: try data(key))
    }

    private static func data(_ path: String) throws(ConfigurationError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch { throw unreadable(path, ServiceConfiguration.reason(error)) }
    }

    /// TLS 1.3 and nothing older.
    private static func context(
        _ files: Files, _ certificateFile: String, _ keyFile: String
    ) throws(ConfigurationError) -> NIOSSLContext {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(Array(files.certificate))
        } catch { throw unreadable(certificateFile, "it holds no certificate") }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(files.key), format: .pem)))
            configuration.minimumTLSVersion = .tlsv13
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch { throw unreadable(keyFile, "it does not hold the certificate's key") }
    }

    private static func unreadable(_ path: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(problems: [.unreadableFile(path: path, reason: reason)])
    }

    private static func missing(_ key: ConfigurationKey<String?>) -> ConfigurationError {
        ConfigurationError(problems: [
            .missing(key: key.name, flag: key.erased.flag, environmentVariable: key.erased.environmentVariable)
        ])
    }
}

/// Reads the certificate's files every ten seconds. While they cannot be read, or one is new and the other is not yet,
/// the known certificate stays in use.
struct ServerCertificateReload: Service {
    static let interval: Duration = .seconds(10)

    let certificate: ServerCertificate
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // A cancelled sleep ends the loop by its condition.
                try? await Task.sleep(for: Self.interval)
                reload()
            }
        }
    }

    func reload() {
        do {
            if try certificate.reload() { logger.notice("certificate read anew") }
        } catch {
            logger.warning("certificate not read, the known one stays", metadata: [LogKeys.error: "\(error)"])
        }
    }
}
