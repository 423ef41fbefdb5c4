public import Postgres

/// The migrations of this layer's tables, for every service's schema.
public enum MessagingMigrations {
    public static let all = [
        Migration(
            component: "messaging", version: 1, name: "messaging",
            sql: String(decoding: PackageResources._001_messaging_sql, as: UTF8.self)),
        Migration(
            component: "messaging", version: 2, name: "inbox_by_id",
            sql: String(decoding: PackageResources._002_inbox_by_id_sql, as: UTF8.self)),
        Migration(
            component: "messaging", version: 3, name: "relay_lease",
            sql: String(decoding: PackageResources._003_relay_lease_sql, as: UTF8.self)),
        Migration(
            component: "messaging", version: 4, name: "republications",
            sql: String(decoding: PackageResources._004_republications_sql, as: UTF8.self)),
        Migration(
            component: "messaging", version: 5, name: "comments",
            sql: String(decoding: PackageResources._005_comments_sql, as: UTF8.self)),
        Migration(
            component: "messaging", version: 6, name: "dead_messages",
            sql: String(decoding: PackageResources._006_dead_messages_sql, as: UTF8.self)),
    ]
}
