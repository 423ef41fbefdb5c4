import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Plays the services that bring push messages to devices, each as strict about its headers as the real one:
/// `/sink/web-push/{name}` a browser's, `/sink/fcm/…` Firebase Cloud Messaging, `/sink/apns/3/device/{token}` Apple's.
/// `GET` on `/sink/web-push/{name}` and `/sink/pushes/{kind}` reads what has come; `PUT /sink/pushes/{kind}` sets
/// another answer.
struct PushRoutes {
    let services: PushServices

    private struct List: Encodable { let items: [PushServices.Message] }
    private struct Setting: Decodable {
        let to: String?
        let answer: PushServices.Answer?
    }

    func add(to router: Router<SandboxContext>) {
        router.post("sink/web-push/{name}") { request, context in
            let message = try await Self.message(request, context, to: try context.parameters.require("name"))
            guard Self.isWebPush(message) else { return Response(status: .badRequest) }
            return answer(services.take(message, .web), usual: .created)
        }
        router.get("sink/web-push/{name}") { _, context in
            let items = services.messages(.web, to: try context.parameters.require("name"))
            return Response(json: try JSONEncoder().encode(List(items: items)))
        }
        router.post("sink/fcm/token") { request, context in
            let body = String(buffer: try await request.body.collect(upTo: context.maxUploadSize))
            let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
            guard body.contains(grant), body.contains("assertion=") else { return Response(status: .badRequest) }
            return Response(
                json: Data(#"{"access_token":"\#(services.grant())","expires_in":3599,"token_type":"Bearer"}"#.utf8))
        }
        router.post("sink/fcm/v1/projects/{project}/messages:send") { request, context in
            let raw = try await Self.message(request, context, to: "")
            guard raw.headers["authorization"]?.hasPrefix("Bearer ya29.") == true else {
                return Response(status: .unauthorized)
            }
            // try?: what cannot be read is refused, as Firebase refuses it.
            guard let token = try? JSONDecoder().decode(FCMBody.self, from: Data(base64Encoded: raw.body) ?? Data())
            else { return Response(status: .badRequest) }
            let message = PushServices.Message(to: token.message.token, headers: raw.headers, body: raw.body)
            return answer(services.take(message, .fcm), usual: .ok)
        }
        router.post("sink/apns/3/device/{token}") { request, context in
            let message = try await Self.message(request, context, to: try context.parameters.require("token"))
            guard message.headers["authorization"]?.hasPrefix("bearer ") == true,
                message.headers["apns-topic"]?.isEmpty == false, message.headers["apns-push-type"] == "alert"
            else { return Response(status: .forbidden) }
            return answer(services.take(message, .apns), usual: .ok)
        }
        router.get("sink/pushes/{kind}") { request, context in
            let kind = try Self.kind(context)
            let device = request.uri.queryParameters["to"].map(String.init)
            return Response(json: try JSONEncoder().encode(List(items: services.messages(kind, to: device))))
        }
        router.put("sink/pushes/{kind}") { request, context in
            let kind = try Self.kind(context)
            let body = try await request.body.collect(upTo: context.maxUploadSize)
            let setting = try JSONDecoder().decode(Setting.self, from: Data(body.readableBytesView))
            services.answer(kind, to: setting.to ?? "*", with: setting.answer)
            return Response(status: .noContent)
        }
    }

    private struct FCMBody: Decodable {
        struct Message: Decodable { let token: String }
        let message: Message
    }

    private static func kind(_ context: SandboxContext) throws -> PushServices.Kind {
        guard let kind = PushServices.Kind(rawValue: try context.parameters.require("kind")) else {
            throw HTTPError(.notFound)
        }
        return kind
    }

    private static func message(
        _ request: Request, _ context: SandboxContext, to device: String
    ) async throws -> PushServices.Message {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        return PushServices.Message(
            to: device, headers: headers, body: Data(body.readableBytesView).base64EncodedString())
    }

    /// RFC 8030, 8188, 8291 and 8292.
    private static func isWebPush(_ message: PushServices.Message) -> Bool {
        let headers = message.headers
        guard headers["ttl"].flatMap({ Int($0) }) != nil, headers["content-encoding"] == "aes128gcm",
            ["very-low", "low", "normal", "high"].contains(headers["urgency"] ?? ""),
            (headers["topic"] ?? "").wholeMatch(of: /[A-Za-z0-9_-]{0,32}/) != nil,
            headers["authorization"]?.wholeMatch(of: /vapid t=[\w.\-]+, k=[\w\-]{87}/) != nil
        else { return false }
        // Salt, record size, the key's length and the key, and the last octet with its tag.
        return (103...4_096).contains(Data(base64Encoded: message.body)?.count ?? 0)
    }

    private func answer(_ answer: PushServices.Answer?, usual: HTTPResponse.Status) -> Response {
        guard let answer else { return Response(status: usual) }
        var headers: HTTPFields = [:]
        if let seconds = answer.retryAfter { headers[.retryAfter] = String(seconds) }
        return Response(
            status: .init(code: answer.status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: answer.body ?? "")))
    }
}
