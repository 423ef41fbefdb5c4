import Glibc

/// The files and connections that this process may open.
enum OpenFiles {
    /// As many as a process of notifications needs for its streams, several times over.
    static let wanted: rlim_t = 65_536

    /// Raises the soft limit as far as the hard one allows. systemd and newer container engines begin with 1024, for the sake of
    /// programs that use `select`; ours use `poll` and `epoll`.
    static func raiseLimit() {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return }
        let reachable = min(wanted, limit.rlim_max)
        guard limit.rlim_cur < reachable else { return }
        limit.rlim_cur = reachable
        // Refused, it stays as it is: `process_max_fds` tells.
        _ = setrlimit(kind, &limit)
    }
}
