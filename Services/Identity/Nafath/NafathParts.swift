import Foundation

/// What signing in with Nafath works with, where an issuer is configured.
struct NafathParts: Sendable {
    let begin: BeginNafathSignIn
    let finish: FinishNafathSignIn
    let link: LinkNafathPerson
}
