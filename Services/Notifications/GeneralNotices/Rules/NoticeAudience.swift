/// Which of a market's people a general notice goes to (N5). Admins get none, nor does whoever is banned there.
struct NoticeAudience: Sendable, Equatable {
    enum Group: String, Sendable, CaseIterable { case all, customers, providers }

    let group: Group
    /// Of providers: those with this title alone, such as nurses.
    let title: String?
    /// Those who read this language alone.
    let language: String?
}
