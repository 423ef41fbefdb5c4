public import NIOSSL

/// What every client of a service speaks to servers elsewhere (Q6): TLS 1.3, the server's certificate and name checked.
/// A server that knows TLS 1.2 only is not spoken to.
///
/// ```swift
/// var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
/// configuration.tlsConfiguration = OutgoingTLS.configuration()
/// ```
public enum OutgoingTLS {
    /// - Parameter authorityFile: whom to trust beside nobody else (PEM); nil is the system's authorities.
    public static func configuration(authorityFile: String? = nil) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv13
        if let authorityFile { configuration.trustRoots = .file(authorityFile) }
        return configuration
    }
}
