import Foundation
import Hummingbird

/// The pages to which a payment sends its customer: the bank's question (3-D Secure), or PayPal's. The URL has a key
/// that only the payment's owner gets.
struct RedirectRoutes {
    let api: StripeAPI

    func add(to router: Router<SandboxContext>) {
        router.get("redirect/{payment}") { request, context in
            let id = try context.parameters.require("payment")
            let key = request.uri.queryParameters["key"].map(String.init) ?? ""
            guard api.isWaiting(id, key: key) else { return Response(status: .notFound) }
            return Self.page(key: key)
        }
        router.post("redirect/{payment}") { request, context in
            let id = try context.parameters.require("payment")
            let body = String(buffer: try await request.body.collect(upTo: context.maxUploadSize))
            // try?: a body that is no form answers nothing.
            guard let form = try? FormParameters(urlEncoded: body), let answer = form["answer"],
                ["yes", "no"].contains(answer),
                let back = api.answer(id, key: form["key"] ?? "", isYes: answer == "yes")
            else { return Response(status: .notFound) }
            return Response(status: .seeOther, headers: [.location: back])
        }
    }

    private static func page(key: String) -> Response {
        let hidden = key.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let body = """
            <!doctype html><title>Sandbox</title><h1>Do you want to pay?</h1>
            <form method="post"><input type="hidden" name="key" value="\(hidden)">
            <button name="answer" value="yes">Yes</button> <button name="answer" value="no">No</button></form>
            """
        return Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
}
