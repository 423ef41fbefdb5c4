public import Postgres

/// What a service is, for ``ServiceCommand``: its name, its keys, its schema and how it is put together.
public protocol SeraiService: Sendable {
    /// Lower case: `dispatch`. Also the name of the service's schema in the database.
    static var name: String { get }
    /// One sentence for `--help`.
    static var about: String { get }
    /// Besides ``CommonKeys``.
    static var keys: [AnyConfigurationKey] { get }
    /// The service's own and those of the layers it uses, such as ``IdempotencyStore/migrations``.
    static var migrations: [Migration] { get }
    /// The service's words for its own problems, as JSON; see ``ProblemCatalogue``.
    static var catalogues: [Language: [UInt8]] { get }
    /// The composition root: makes everything and returns what has to run.
    static func compose(_ bootstrap: ServiceBootstrap) async throws -> [ServiceComponent]
}

extension SeraiService {
    public static var keys: [AnyConfigurationKey] { [] }
    public static var migrations: [Migration] { [] }
    public static var catalogues: [Language: [UInt8]] { [:] }

    /// Everything that can be set.
    public static var allKeys: [AnyConfigurationKey] { CommonKeys.all + keys }
}
