public import Templating

/// The library of landing pages, with the names that the routes ask for.
public enum LandingPages {
    /// Reads a `Hosting` folder; throws everything that is wrong with it.
    public static func library(folder: String) throws(TemplateLibraryError) -> PageLibrary {
        try PageLibrary(
            folder: folder, pages: LandingPage.templates, variables: LandingPage.variables, strings: LandingPage.strings)
    }
}
