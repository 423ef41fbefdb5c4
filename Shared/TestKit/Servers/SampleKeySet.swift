/// What a service needs to start that nobody logs in to: without a key it would refuse everybody, so it does not begin.
public enum SampleKeySet {
    /// The public key of RFC 8037, appendix A.
    public static let json =
        #"{"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "rfc", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
}
