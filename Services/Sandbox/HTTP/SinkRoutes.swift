import Foundation
import Hummingbird

/// `/sink/mail`, `/sink/sms`, `/sink/push`: POST stores a message (once per `Idempotency-Key`), GET reads and DELETE
/// removes messages, both with an optional `?to=`.
struct SinkRoutes {
    let sink: Sink

    private struct List: Encodable { let items: [Sink.Message] }

    func add(to router: Router<SandboxContext>) {
        for kind in Sink.Kind.allCases {
            let routes = router.group("sink/\(kind.rawValue)")
            routes.post { request, context in
                let body = try await request.body.collect(upTo: context.maxUploadSize)
                do {
                    let message = try JSONDecoder().decode(Sink.Message.self, from: Data(body.readableBytesView))
                    sink.add(message, to: kind, key: request.headers[.idempotencyKey])
                } catch {
                    throw HTTPError(.badRequest, message: "JSON with to and text is wanted")
                }
                return Response(status: .created)
            }
            routes.get { request, _ in
                let items = sink.messages(kind, to: Self.recipient(request))
                return Response(json: try Self.encoder.encode(List(items: items)))
            }
            routes.delete { request, _ in
                sink.remove(kind, to: Self.recipient(request))
                return Response(status: .noContent)
            }
        }
    }

    private static func recipient(_ request: Request) -> String? {
        request.uri.queryParameters["to"].map(String.init)
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }
}
