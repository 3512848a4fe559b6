internal import Routes

/// Reads `pages` of a project: what its landing pages have of their own.
struct AppearanceReader {
    let reader: ConfigurationReader

    /// The appearance; what cannot be used is reported and left out.
    func appearance(_ section: ConfigurationSection) -> PageAppearance {
        guard let pages = section.section("pages") else { return PageAppearance() }
        return PageAppearance(accentColor: pages.text("accentColor").flatMap(color), logo: pages.text("logo").flatMap(logo))
    }

    private func color(_ field: ConfigurationField<String>) -> AccentColor? {
        guard let color = AccentColor(field.value) else {
            field.refuse("\(field.value.shown) is not a colour", "expected one such as \"#0a66c2\"")
            return nil
        }
        if let problem = color.problem {
            field.refuse("\(field.value.shown) is too light: \(problem)", "choose a darker one")
            return nil
        }
        return color
    }

    private func logo(_ field: ConfigurationField<String>) -> PageLogo? {
        do throws(ConfigurationSurroundings.Unreadable) {
            let bytes = try reader.contents(field.value)
            do throws(PageLogo.Refusal) {
                return try PageLogo(bytes)
            } catch {
                field.refuse(
                    "\(field.value.shown) \(error.reason)", "expected a PNG or SVG file of at most \(PageLogo.maximumSize / 1024) KiB")
            }
        } catch {
            field.refuse("\(field.value.shown): \(error.reason)", "expected a PNG or SVG file")
        }
        return nil
    }
}
