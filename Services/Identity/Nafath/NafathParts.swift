import Foundation

/// The operations of signing in with Nafath; they exist when an issuer is configured.
struct NafathParts: Sendable {
    let begin: BeginNafathSignIn
    let finish: FinishNafathSignIn
    let link: LinkNafathPerson
}
