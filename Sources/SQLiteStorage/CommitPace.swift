/// Decides whether a commit waits a moment for company.
///
/// A commit costs one write to the disk however many jobs share it. Callers who wait for one commit all come back right after it; without
/// a pause the first of them would get a commit alone while the others sit out a whole disk write. So when recent commits were shared, the
/// next one waits until as many are there again, but never longer than a fraction of what a commit costs anyway.
struct CommitPace {
    /// How many jobs the last two commits had.
    private var recent = (1, 1)
    /// What commits cost of late, a moving average.
    private var cost = Duration.zero

    /// How many jobs make waiting pointless.
    var company: Int { max(recent.0, recent.1) }

    /// How long a commit may wait for them: a quarter of its cost, 2 ms at most.
    var patience: Duration { min(cost / 4, .milliseconds(2)) }

    /// Notes a commit of `jobs` jobs that took `duration`.
    mutating func committed(jobs: Int, in duration: Duration) {
        recent = (recent.1, jobs)
        cost = cost == .zero ? duration : (cost * 7 + duration) / 8
    }
}
