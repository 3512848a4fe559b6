internal import Glibc

/// How many files and connections this process may have open.
public enum FileDescriptors {
    /// Raises the soft limit to the hard one, as far as that is allowed, and gives what is allowed now. The usual soft limit of 1,024 is made
    /// for programs that use `select`; a server reaches it with a thousand idle clients.
    @discardableResult
    public static func raiseLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
