// Options of a session: its events, its viewport, and the layout, with cell sizes chosen so that they fill a row exactly.

export const EVENTS = ['hello', 'thumbnail', 'failed', 'plan', 'scroll', 'layout', 'gallery', 'followers', 'audience', 'bye']

/** Returns the body of a session request. `where` is `{scrollTop}` or `{anchor}`, an item that stays in place in the viewport. */
export function sessionRequest({ gallery, layout, viewport, where, name, wishes }) {
  return { gallery: gallery.id, layout, viewport: { ...viewport, ...where }, name, ...wishes }
}

export function measured(scroller) {
  return { width: scroller.clientWidth, height: scroller.clientHeight, pixelRatio: Math.min(4, devicePixelRatio || 1) }
}

/** Whether the rail shows section titles or dates, if there is room. */
export const hasRail = ({ sections, arrangement, taken }) =>
  sections.length > 1 || (arrangement?.sort === 'taken' && !(taken && taken.from.slice(0, 7) === taken.to.slice(0, 7)))

/** Target widths of a cell in px, from dense to loose. */
export const DENSITIES = [72, 104, 144, 196, 264, 360]
export const USUAL = 3

export const densityIn = (text) => (text !== null && DENSITIES[text] ? Number(text) : USUAL)

/** Returns the kind of layout in the address. Defaults: justified rows for a folder, because they crop nothing, and a grid otherwise. */
export const kindIn = (text, source = '') => (['grid', 'justified', 'masonry'].includes(text) ? text : source === 'folder' ? 'justified' : 'grid')

/** Whether sections have a title line above them. */
export const hasTitles = (sections) => sections.length > 1 || Boolean(sections[0]?.title)

const RATIO = 4 / 3
const SMALL_SECTION = 3 // items. Sections with so few are placed side by side

/** Returns the `layout` of the API for a viewport of this width. */
export function layoutOptions({ kind = 'grid', density = USUAL, width, titled }) {
  const narrow = width < 520
  const gap = density <= 1 ? 3 : narrow ? 4 : 8
  const margin = narrow ? 8 : 16
  const target = DENSITIES[density] * (narrow ? 0.52 : 1)
  const common = {
    lineSpacing: gap,
    interitemSpacing: gap,
    sectionInset: { top: titled ? 0 : margin, left: margin, bottom: margin, right: margin },
    headerHeight: titled ? 56 : 0,
    smallSectionLimit: SMALL_SECTION,
  }
  const available = Math.max(1, width - 2 * margin)
  if (kind === 'justified') return { kind, rowHeight: Math.round(target * 0.86), ...common }
  const columns = Math.max(1, Math.round((available + gap) / (target + gap)))
  // Rounded down to 1/64 px, the browser's unit. Rounded up, the last column would not fit.
  const exact = Math.max(1, Math.floor(((available - (columns - 1) * gap) / columns) * 64) / 64)
  if (kind === 'masonry') return { kind, columnWidth: exact, ...common }
  return { kind: 'grid', itemWidth: exact, itemHeight: Math.max(1, Math.round(exact / RATIO)), ...common }
}
