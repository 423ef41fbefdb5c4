extension NotificationsService {
    static let recordedReads = [
        "/notifications/v1/markets/{market}/inbox.csv": "admins' inbox",
        "/notifications/v1/markets/{market}/general-notices.csv": "general notices",
        "/notifications/v1/markets/{market}/inquiries": "inquiries",
        "/notifications/v1/markets/{market}/inquiries/{id}": "inquiry",
        "/notifications/v1/markets/{market}/orders/{id}/conversations": "conversations of an order",
        "/notifications/v1/markets/{market}/inquiries/{id}/messages": "messages of an inquiry",
        "/notifications/v1/markets/{market}/inquiries/{id}/messages/{message}/file": "file of an inquiry",
        "/notifications/v1/markets/{market}/message-reports": "reported messages",
        "/notifications/v1/markets/{market}/message-reports/{id}": "reported message",
        "/notifications/v1/markets/{market}/conversations/{id}/messages": "messages of a conversation",
        "/notifications/v1/markets/{market}/conversations/{id}/messages/{message}/file": "file of a conversation",
    ]
}
