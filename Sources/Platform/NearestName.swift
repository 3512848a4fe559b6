/// Finds what a misspelt name was meant to be.
public enum NearestName {
    /// The most similar of `names`, else the first that begins with the name; nil when none is similar enough to be meant. Of equals the
    /// first wins.
    public static func find(_ name: String, in names: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars)
        guard wanted.count <= 64 else { return nil }
        // Of three characters one may be wrong; below that every name would be near every other.
        let limit = max(1, wanted.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in names {
            let distance = distance(wanted, Array(candidate.lowercased().unicodeScalars))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        if let best { return best.name }
        guard wanted.count >= 3 else { return nil }
        return names.first { $0.lowercased().hasPrefix(name.lowercased()) }
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours between two names (optimal string alignment).
    public static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let replaced = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var distance = min(replaced, last[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    distance = min(distance, beforeLast[column - 2] + 1)
                }
                current.append(distance)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
