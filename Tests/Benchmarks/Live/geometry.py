"""What every contender shows: the same cells at the same places."""
ITEMS = 20_000
COLUMNS = 6
INSET = 16
TITLE = 56  # of a folder, above its first row
GAP = 8
CELL_WIDTH = 198.828125
CELL_HEIGHT = 149
WINDOW = (1280, 900)
# The scroller's place in it, beside its bar: Lookahead's, and so everybody's.
TOP, WIDTH, HEIGHT = 49, 1265, 851

# Lookahead rounds what its cells need up to 256 x 192 and covers it: pictures of 3 to 2 become this.
THUMBNAIL = (288, 192)

LAYOUT = {
    "kind": "grid", "itemWidth": CELL_WIDTH, "itemHeight": CELL_HEIGHT, "lineSpacing": GAP, "interitemSpacing": GAP,
    "sectionInset": {"top": INSET, "left": INSET, "bottom": INSET, "right": INSET},
}
