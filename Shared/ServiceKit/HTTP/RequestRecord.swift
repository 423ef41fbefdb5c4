import Foundation
import Locks

/// Data that inner layers pass to outer ones during a request: a context is a value, so a change by an inner layer
/// would not reach the access log and the problem writer.
final class RequestRecord: Sendable {
    struct State {
        var acceptLanguage: String?
        var accountLanguage: Language?
        /// The language of the market in the path, for callers without an account.
        var marketLanguage: Language?
        var available: Set<Language> = [.english]
        var accountID: UUID?
        var problemSlug: String?
        /// Whether the client was told to send its body.
        var isContinued = false
    }

    private let state = Mutex(State())

    func update(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    var current: State { state.withLock { $0 } }

    var language: Language {
        let state = current
        return Language.negotiate(
            acceptLanguage: state.acceptLanguage, preferred: state.accountLanguage ?? state.marketLanguage,
            available: state.available)
    }

    /// The language of a person in a market: the header's best among the market's own, else the market's first.
    ///
    /// - Parameter languages: those of the market; the first is its default.
    func language(among languages: [Language]) -> Language {
        let state = current
        let available = state.available.intersection(languages)
        return Language.negotiate(
            acceptLanguage: state.acceptLanguage, preferred: languages.first,
            available: available.isEmpty ? state.available : available)
    }
}
