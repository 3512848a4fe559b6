/// A value and all that it holds as indented text, sets and dictionaries in order, so that two runs print the same.
func tree(_ value: Any, name: String = "", indent: Int = 0) -> String {
    let mirror = Mirror(reflecting: value)
    let heading = String(repeating: "  ", count: indent) + (name.isEmpty ? "" : name + ":")
    let prefix = heading + (name.isEmpty ? "" : " ")
    let children = Array(mirror.children)
    switch mirror.displayStyle {
    case .optional: return children.first.map { tree($0.value, name: name, indent: indent) } ?? prefix + "nil\n"
    case .collection where children.isEmpty: return prefix + "[]\n"
    case .dictionary where children.isEmpty: return prefix + "[:]\n"
    case .dictionary:
        let entries = children.map { child in
            let pair = Array(Mirror(reflecting: child.value).children)
            return tree(pair[1].value, name: "\(pair[0].value)", indent: indent + 1)
        }
        return heading + "\n" + entries.sorted().joined()
    case .set: return prefix + "\(children.map { "\($0.value)" }.sorted())\n"
    case .struct where !(value is any CustomStringConvertible) && !children.isEmpty, .collection:
        let entries = children.enumerated().map { index, child in
            tree(child.value, name: child.label ?? "[\(index)]", indent: indent + 1)
        }
        return heading + "\n" + entries.joined()
    default: return prefix + "\(value)\n"
    }
}
