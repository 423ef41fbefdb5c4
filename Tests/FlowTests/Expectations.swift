import Phones
import Testing

/// Expects that a service says no.
/// - Parameter state: the state that the problem must name; nil accepts any.
func refuses(
    _ status: Int..., state: String? = nil, at place: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async throws {
    do {
        _ = try await body()
        Issue.record("it was not refused", sourceLocation: place)
    } catch let refusal as Refusal {
        #expect(status.contains(refusal.status), "\(refusal)", sourceLocation: place)
        if let state { #expect(refusal.state == state, "\(refusal)", sourceLocation: place) }
        #expect(!refusal.slug.isEmpty, "\(refusal) is no problem document", sourceLocation: place)
    }
}
