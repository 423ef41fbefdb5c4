import ArgumentParser
import Foundation

/// The algorithm of a new signing key.
enum SigningAlgorithm {
    static let variable = "SERAI_IDENTITY_SIGNING_ALGORITHM"

    static let help: ArgumentHelp = """
        What the new key signs by: EdDSA, or ES256 or RS256 for gateways that know no EdDSA. By default what \(variable) names, \
        else that of the newest key, else EdDSA.
        """

    /// - Throws: for an unknown name.
    static var configured: TokenSigningKey.Algorithm? {
        get throws {
            guard let name = ProcessInfo.processInfo.environment[variable], !name.isEmpty else { return nil }
            guard let algorithm = TokenSigningKey.Algorithm(rawValue: name) else {
                throw ValidationError("\(variable) takes EdDSA, ES256 or RS256.")
            }
            return algorithm
        }
    }
}

extension TokenSigningKey.Algorithm: ExpressibleByArgument {}
