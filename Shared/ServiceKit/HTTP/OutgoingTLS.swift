public import NIOSSL

/// The TLS settings of all clients in a service (Q6): TLS 1.3, with the server's certificate and name checked. Servers
/// that only support TLS 1.2 are refused.
///
/// ```swift
/// var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
/// configuration.tlsConfiguration = OutgoingTLS.configuration()
/// ```
public enum OutgoingTLS {
    /// - Parameter authorityFile: the only trusted authorities (PEM); nil for the system's.
    public static func configuration(authorityFile: String? = nil) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv13
        if let authorityFile { configuration.trustRoots = .file(authorityFile) }
        return configuration
    }
}
