extension IdentityService {
    /// A person whom an admin looks up is one of them: the audit log says who was looked up.
    static let recordedReads = [
        "/identity/v1/markets/{market}/providers": "providers",
        "/identity/v1/markets/{market}/expiring-papers": "expiring-papers",
        "/identity/v1/markets/{market}/links": "links",
        "/identity/v1/markets/{market}/removals": "removals",
        "/identity/v1/markets/{market}/title-questions": "title questions",
        "/identity/v1/markets/{market}/bans": "bans",
        "/identity/v1/markets/{market}/admins": "admins",
        "/identity/v1/markets/{market}/people": "people",
        "/identity/v1/markets/{market}/people/{account}": "person",
        "/identity/v1/markets/{market}/people/{account}/sessions": "sessions",
    ]
}
