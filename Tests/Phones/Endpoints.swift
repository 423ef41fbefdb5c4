/// Where the services are: all behind one address, or each at its own, in any number of processes.
public struct Endpoints: Sendable {
    /// Of a service by its name; the empty name is the gateway's.
    private let bases: [String: [String]]

    /// - Parameter url: `http://host:port`, without a path.
    public init(gateway url: String) {
        bases = ["": [Self.withoutSlash(url)]]
    }

    /// - Parameter services: the addresses of each service's processes, by the service's name (`dispatch`).
    public init(services: [String: [String]]) {
        bases = services.mapValues { $0.map(Self.withoutSlash) }
    }

    /// The URL of a path such as `/dispatch/v1/orders`. Another `turn` may be another process of the service.
    func url(_ path: String, turn: Int) throws -> String {
        let service = path.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
        guard let processes = bases[service] ?? bases[""], !processes.isEmpty else {
            throw NoSuchService(name: service)
        }
        return processes[turn % processes.count] + path
    }

    private static func withoutSlash(_ url: String) -> String {
        url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    public struct NoSuchService: Error { public let name: String }
}
