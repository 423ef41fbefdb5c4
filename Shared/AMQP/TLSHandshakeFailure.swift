import Glibc

/// Why OpenSSL gave up a handshake on this thread.
///
/// librabbitmq tells a refused certificate and a connection cut in the handshake by the same status, and only the second
/// is worth another try. The reason is in OpenSSL's error queue, which is per thread and which nobody else reads.
/// OpenSSL is loaded with librabbitmq; asking for it by name needs none of its headers.
enum TLSHandshakeFailure {
    case certificateRefused, other

    private typealias PeekLastError = @convention(c) () -> UInt

    /// Of the last handshake on the calling thread.
    static func last() -> TLSHandshakeFailure {
        guard let symbol = dlsym(nil, "ERR_peek_last_error") else { return .other }
        let error = unsafeBitCast(symbol, to: PeekLastError.self)()
        // openssl/err.h: the library is in bits 23 to 30, the reason below; ERR_LIB_SSL is 20.
        // openssl/sslerr.h: SSL_R_CERTIFICATE_VERIFY_FAILED is 134.
        return (error >> 23) & 0xFF == 20 && error & 0x7F_FFFF == 134 ? .certificateRefused : .other
    }
}
