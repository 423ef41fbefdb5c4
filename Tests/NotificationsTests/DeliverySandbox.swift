import Foundation

@testable import Sandbox

/// A sandbox whose mail server and SMS provider the service is told of.
enum DeliverySandbox {
    static func with(
        _ body: @Sendable (_ sandbox: SandboxServer, _ settings: [String: String]) async throws -> Void
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString).pem")
        var settings = SandboxSettings()
        settings.mailCertificateFile = file.path(percentEncoded: false)
        let certificate = file.path(percentEncoded: false)
        defer {
            // try?: it is a temporary file.
            try? FileManager.default.removeItem(at: file)
        }
        try await SandboxServer.withServer(settings) { sandbox, url in
            try await body(
                sandbox,
                [
                    "SERAI_DELIVERIES_MAIL_URL": try await sandbox.mailURL(),
                    "SERAI_DELIVERIES_MAIL_USER": sandbox.settings.mailUser,
                    "SERAI_DELIVERIES_MAIL_PASSWORD": sandbox.settings.mailPassword,
                    "SERAI_DELIVERIES_MAIL_AUTHORITY_FILE": certificate,
                    "SERAI_DELIVERIES_SMS_URL": "\(url)/sink/twilio",
                    "SERAI_DELIVERIES_SMS_ACCOUNT": sandbox.settings.smsAccount,
                    "SERAI_DELIVERIES_SMS_TOKEN": sandbox.settings.smsToken,
                ])
        }
    }
}
