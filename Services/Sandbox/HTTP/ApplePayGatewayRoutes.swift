import Foundation
import Hummingbird
import NIOCore

/// Plays Apple's gateway: proves a merchant, and gives it a session that a browser would hand to Apple.
struct ApplePayGatewayRoutes {
    private struct Asked: Decodable {
        let merchantIdentifier, displayName, initiative, initiativeContext: String
    }

    private struct Session: Encodable {
        let epochTimestamp, expiresAt: Int
        let merchantSessionIdentifier, nonce, merchantIdentifier, domainName, displayName, signature: String
    }

    func add(to router: Router<SandboxContext>) {
        router.post("paymentservices/startSession") { request, context in
            let body = try await request.body.collect(upTo: context.maxUploadSize)
            // try?: what cannot be read is refused, as Apple refuses it.
            guard let asked = try? JSONDecoder().decode(Asked.self, from: Data(body.readableBytesView)),
                asked.initiative == "web",
                ![asked.merchantIdentifier, asked.displayName, asked.initiativeContext].contains("")
            else { return Response(status: .badRequest) }
            let now = Int(Date().timeIntervalSince1970 * 1_000)
            let session = Session(
                epochTimestamp: now, expiresAt: now + 300_000, merchantSessionIdentifier: "SSH\(UUID().uuidString)",
                nonce: UUID().uuidString, merchantIdentifier: asked.merchantIdentifier,
                domainName: asked.initiativeContext, displayName: asked.displayName, signature: "sandbox")
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(session))))
        }
    }
}
