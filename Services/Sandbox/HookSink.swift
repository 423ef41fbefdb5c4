import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// The server of a business that is sent webhooks: `POST /sink/webhooks/NAME` stores a request and answers with the status of
/// `?status=` (204 without it), `GET` reads what has come there, oldest first.
final class HookSink: Sendable {
    struct Hook: Codable, Sendable, Equatable {
        let id: String?
        let timestamp: String?
        let signature: String?
        let body: String
    }

    static let limit = 1_000

    private let hooks = Mutex<[String: [Hook]]>([:])
    private let statuses = Mutex<[String: Int]>([:])

    /// The messages to a name, oldest first.
    func hooks(_ name: String) -> [Hook] { hooks.withLock { $0[name, default: []] } }

    /// Answers with this status from now on, whatever the address says.
    func answer(_ name: String, with status: Int?) { statuses.withLock { $0[name] = status } }

    func add(to router: Router<SandboxContext>) {
        router.post("sink/webhooks/{name}") { [self] request, context in
            let name = try context.parameters.require("name")
            let body = try await request.body.collect(upTo: context.maxUploadSize)
            let hook = Hook(
                id: request.headers[.webhookID], timestamp: request.headers[.webhookTimestamp],
                signature: request.headers[.webhookSignature], body: String(buffer: body))
            hooks.withLock { hooks in
                hooks[name, default: []].append(hook)
                if hooks[name, default: []].count > Self.limit { hooks[name, default: []].removeFirst() }
            }
            let asked = request.uri.queryParameters["status"].flatMap { Int($0) }
            return Response(status: .init(code: statuses.withLock { $0[name] } ?? asked ?? 204))
        }
        router.get("sink/webhooks/{name}") { [self] _, context in
            let items = hooks(try context.parameters.require("name"))
            return Response(json: try JSONEncoder().encode(["items": items]))
        }
    }
}
