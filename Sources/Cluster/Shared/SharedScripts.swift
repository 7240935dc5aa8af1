/// All scripts that servers run for us, in the order in which the client names them.
enum SharedScripts {
    static let all = ClaimScripts.all + NodeScripts.all + GalleryScripts.all
}
