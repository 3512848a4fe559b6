internal import Platform

/// The URL that a sign-in link hands over to: the stored continueUrl with the parameters that the page behind it needs.
public enum ContinueRedirect {
    /// Sets `mode`, `oobCode`, `apiKey` and `lang` in the query of `url`. Items of the same names are replaced and not repeated; the rest of the
    /// query and the fragment stay as they are.
    public static func url(_ url: ContinueURL, for link: ActionLink) -> String {
        let set = [
            ("mode", link.code.operation.mode), ("oobCode", link.oobCode), ("apiKey", link.apiKey), ("lang", link.language),
        ]
        let names = Set(set.map(\.0))
        let fragmentStart = url.text.firstIndex(of: "#") ?? url.text.endIndex
        let beforeFragment = url.text[..<fragmentStart]
        let queryStart = beforeFragment.firstIndex(of: "?")
        let base = beforeFragment[..<(queryStart ?? beforeFragment.endIndex)]
        let kept = (queryStart.map { beforeFragment[beforeFragment.index(after: $0)...] } ?? "")
            .split(separator: "&")
            .filter { item in
                let name = item.prefix { $0 != "=" }
                // Browsers read `+` as a space and percent-encoding in names; none of ours holds a space, so decoding once is enough.
                return !names.contains(PercentEncoding.decode(name) ?? String(name))
            }
        let items = kept.map(String.init) + set.map { $0.0 + "=" + PercentEncoding.encode($0.1) }
        return base + "?" + items.joined(separator: "&") + url.text[fragmentStart...]
    }
}
