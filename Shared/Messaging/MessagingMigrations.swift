public import Postgres

/// The tables of this layer, for every service's schema.
public enum MessagingMigrations {
    public static let all = [
        Migration(
            component: "messaging", version: 1, name: "messaging",
            sql: String(decoding: PackageResources._001_messaging_sql, as: UTF8.self))
    ]
}
