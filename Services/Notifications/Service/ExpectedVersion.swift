import HTTPTypes
import Hummingbird
import ServiceKit

extension Request {
    /// The version in `If-Match` (RFC 9110, 13.1.1): `"7"`; nil without the header and for `*`.
    func expectedVersion(_ validator: Validator) -> Int? {
        guard let header = headers[.ifMatch], header != "*" else { return nil }
        if let match = header.wholeMatch(of: /"([0-9]{1,18})"/), let version = Int(match.1) { return version }
        validator.reject("If-Match", "invalid-value")
        return nil
    }
}
