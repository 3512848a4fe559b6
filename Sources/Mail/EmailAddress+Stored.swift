extension EmailAddress {
    /// Takes the `text` of an address that a store has kept, split at its last `@`. Nothing is checked: what is stored was checked when it
    /// came in, and addresses of an older version must stay readable when the rules change.
    package init(storedText: String) {
        let at = storedText.utf8.lastIndex(of: UInt8(ascii: "@"))
        self.init(
            localPart: String(storedText[..<(at ?? storedText.endIndex)]),
            domain: at.map { String(storedText[storedText.utf8.index(after: $0)...]) } ?? "")
    }
}
