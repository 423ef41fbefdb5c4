/// The tokens of a phone. Whoever needs a new one while one is being fetched gets that one: a refresh token is good for
/// one use.
actor SessionKeeper {
    private(set) var current: SessionView?
    private var fetching: Task<SessionView, any Error>?

    func take(_ tokens: SessionView) { current = tokens }

    /// The access token after `stale`.
    func refreshed(
        insteadOf stale: String, fetch: @escaping @Sendable (_ refreshToken: String) async throws -> SessionView
    ) async throws -> String {
        guard let known = current else { throw Phone.NotSignedIn() }
        if known.accessToken != stale { return known.accessToken }
        let task = fetching ?? Task { try await fetch(known.refreshToken) }
        fetching = task
        defer { fetching = nil }
        let fresh = try await task.value
        current = fresh
        return fresh.accessToken
    }
}
