/// A device's name for its owner: `Chrome, Android`. Nothing else of the `User-Agent` is stored.
struct DeviceName: Hashable, Sendable {
    static let maximumCharacters = 60

    let text: String

    /// Searched in this order, because each browser also names the browsers that it resembles.
    private static let apps = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
        ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Macintosh", "Mac"), ("Darwin", "Apple"), ("Linux", "Linux"),
    ]

    /// Nil when the text names neither app nor system.
    init?(userAgent: String) {
        let userAgent = String(userAgent.prefix(512))
        let app =
            Self.apps.first { userAgent.contains($0.0) }?.1
            // An app of its own: `Serai/1.2 CFNetwork/…`.
            ?? userAgent.prefixMatch(of: /[A-Za-z][A-Za-z0-9 ._-]{0,29}(?=\/)/).map { String($0.output) }
        let system = Self.systems.first { userAgent.contains($0.0) }?.1
        let words = [app, system].compactMap { $0 }
        guard !words.isEmpty else { return nil }
        text = String(words.joined(separator: ", ").prefix(Self.maximumCharacters))
    }
}
