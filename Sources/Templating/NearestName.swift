/// The name that a misspelt one was most likely meant to be: at most a third of its letters away, and of several the first by alphabet.
func nearestName(to name: String, in candidates: some Sequence<String>) -> String? {
    let limit = max(1, name.count / 3)
    // A name far beyond every candidate is not worth comparing.
    guard name.count <= 64 else { return nil }
    return
        candidates
        .map { (distance: editDistance(Array(name.lowercased()), Array($0.lowercased())), name: $0) }
        .filter { $0.distance <= limit }
        .min { $0 < $1 }?
        .name
}

/// Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours count one each.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var current = [i + 1]
        for j in b.indices {
            var best = min(last[j + 1] + 1, current[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
            current.append(best)
        }
        beforeLast = last
        last = current
    }
    return last[b.count]
}
