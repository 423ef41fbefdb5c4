import Foundation
import Glibc
import Postgres
import TestKit

/// How far PostgreSQL itself goes on this server with the ledger's rows, and what a transfer costs: what the figures of the
/// wallet are to be held against.
struct Ceiling {
    /// One measurement of the posting core, and of the server meanwhile.
    struct Cost {
        let transfersPerSecond: Double
        let walBytes: Double
        /// Microseconds of CPU for each transfer.
        let clientMicroseconds: Double
        let serverMicroseconds: Double
    }

    private let pgbench: PGBench
    private let server: PostgresPool
    private let postmaster: Int

    /// - Parameter database: any of the server's.
    static func withCeiling(_ database: TestDatabase, _ body: (Ceiling) async throws -> Void) async throws {
        let pool = PostgresPool(
            .init(database.configuration(applicationName: "bench")), thread: TestThreads.postgres,
            logger: TestThreads.logger)
        do {
            let postmaster = try await pool.first(FindPostmaster()) ?? 0
            try await body(Ceiling(pgbench: PGBench(at: database), server: pool, postmaster: postmaster))
            await pool.close()
        } catch {
            await pool.close()
            throw error
        }
    }

    /// The posting core, as ``WalletProcess/ledger(for:)`` runs it.
    func cost(for seconds: Int) async throws -> Cost {
        let (wal, cpu) = (try await server.first(ReadWAL()) ?? 0, cpuSeconds)
        let measured = try await WalletProcess.ledger(for: seconds)
        // Migrations and the opening of accounts are in it: a thirtieth in five seconds.
        let (walAfter, cpuAfter) = (try await server.first(ReadWAL()) ?? 0, cpuSeconds)
        let count = Double(measured.transfers + WalletProcess.accounts)
        return Cost(
            transfersPerSecond: measured.perSecond, walBytes: Double(walAfter - wal) / count,
            clientMicroseconds: measured.cpuSeconds * 1_000_000 / Double(measured.transfers),
            serverMicroseconds: (cpuAfter - cpu) * 1_000_000 / count)
    }

    /// The smallest commits, one after the other by one client: each waits for the disk once.
    func commitsPerSecond(for seconds: Int) async throws -> Double {
        try await pgbench.transactionsPerSecond(
            of: "SELECT pg_logical_emit_message(true, 'bench', '');", clients: 1, for: seconds)
    }

    /// The rows of as many transfers in each transaction as the core posts, made and written by one function of the
    /// server: locks, entries, balances and the chain's head, and no client.
    func rowsPerSecond(for seconds: Int, clients: Int) async throws -> Double {
        try await WalletProcess.withLedger { database in
            let pool = PostgresPool(
                .init(PostgresConfiguration(dsn: database.dsn, schema: "wallet", applicationName: "bench")),
                thread: TestThreads.postgres, logger: TestThreads.logger)
            do {
                try await pool.execute(MakePosting())
                await pool.close()
            } catch {
                await pool.close()
                throw error
            }
            let batches = try await PGBench(at: database).transactionsPerSecond(
                of: "SELECT wallet.post_rows(\(WalletProcess.batch));", clients: clients, for: seconds)
            return batches * Double(WalletProcess.batch)
        }
    }

    /// Of the server's processes, also those that have ended.
    private var cpuSeconds: Double {
        // What cannot be read has ended meanwhile.
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let ticks = folders.compactMap(Int.init).reduce(0.0) { sum, process in
            guard let fields = Self.fields(of: process), process == postmaster || Int(fields[1]) == postmaster else {
                return sum
            }
            let own = (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)
            // Of children that were waited for.
            let ended = (Double(fields[13]) ?? 0) + (Double(fields[14]) ?? 0)
            return sum + own + (process == postmaster ? ended : 0)
        }
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// proc(5): the fields after the command's name, which is in parentheses and may contain anything.
    private static func fields(of process: Int) -> [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),  // As above.
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 14 ? fields : nil
    }
}

private struct FindPostmaster: Statement {
    static let sql: SQL = "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int8"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// Bytes that the server has ever written to its log.
private struct ReadWAL: Statement {
    static let sql: SQL = "SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// The statements of the posting core in one function, on random accounts.
private struct MakePosting: Statement {
    static let sql: SQL = """
        CREATE FUNCTION post_rows(count int) RETURNS void LANGUAGE plpgsql SET search_path = wallet AS $$
        DECLARE
            link    chains%ROWTYPE;
            last    int8 := (SELECT max(id) FROM accounts);
            ids     uuid[];
            debits  int8[];
            credits int8[];
        BEGIN
            SELECT array_agg(id), array_agg(debit), array_agg(debit % last + 1) INTO ids, debits, credits FROM (
                SELECT 1 + floor(random() * last)::int8 AS debit,
                    (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::int8), 12, '0') || '7'
                        || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid AS id
                FROM generate_series(1, count)
            ) AS made;
            PERFORM FROM accounts WHERE id = ANY (debits || credits) ORDER BY id FOR NO KEY UPDATE;
            SELECT * INTO link FROM chains ORDER BY random() FOR NO KEY UPDATE SKIP LOCKED LIMIT 1;
            INSERT INTO transfers (id, key, kind, currency, subject, chain, place, hash, form, asked)
            SELECT id, 'transfer.post:' || id, 'transfer', 'SAR', id, link.id, link.place + place,
                sha256(uuid_send(id)), 2, substr(sha256(uuid_send(id)), 1, 16)
            FROM unnest(ids) WITH ORDINALITY AS made (id, place);
            INSERT INTO entries (account, transfer, amount, balance, floor)
            SELECT side.account, made.id, side.amount, accounts.balance + side.amount, accounts.floor
            FROM unnest(ids, debits, credits) AS made (id, debit, credit),
                LATERAL (VALUES (debit, -1), (credit, 1)) AS side (account, amount)
            JOIN accounts ON accounts.id = side.account;
            UPDATE accounts SET balance = balance + change FROM (
                SELECT account, sum(amount) AS change
                FROM unnest(debits || credits, array_fill(-1, ARRAY[count]) || array_fill(1, ARRAY[count]))
                    AS side (account, amount)
                GROUP BY account
            ) AS sums
            WHERE accounts.id = sums.account;
            UPDATE chains SET place = place + count WHERE id = link.id;
        END
        $$
        """
}
