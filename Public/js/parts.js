// The parts of the page that the first screen can do without: each is loaded when it is first wanted, and all of them once
// the gallery has been asked for.

import { parameter } from './address-bar.js'
import { Later } from './later.js'

const byId = (id) => document.getElementById(id)

/**
 * `gallery()`, `items()`, `connection()` and `poster()` are the page's now; `still()`: the person wants no motion; `say(text)` speaks
 * politely; `viewed(item)` hears which picture was seen last when the viewer closes.
 */
export function parts({ grid, pictures, scroller, scrubber, shape, work, visible, gallery, items, connection, poster, say, still, viewed }) {
  const dashboard = new Later(async () => {
    const { Dashboard } = await import('./dashboard.js')
    return new Dashboard(byId('dashboard'), byId('dashboard-toggle'), grid, () =>
      shape.layout && { layout: shape.layout, scroller, pictures, work, visible: visible(), itemCount: gallery().itemCount }, () => connection().path)
  })
  const viewer = new Later(async () => {
    const { Viewer } = await import('./viewer.js')
    const loaded = new Viewer(byId('viewer'), { pictures, say, closed: viewed, shown: (item, way) => hints.now?.viewing(item, way) })
    if (gallery()) loaded.begin(gallery(), items())
    return loaded
  })
  const company = new Later(async () => {
    const { Company } = await import('./company.js')
    const loaded = new Company({ scroller, connection: connection(), layout: () => shape.layout, gallery, still, say })
    if (shape.layout) loaded.laidOut(shape, gallery())
    return loaded
  })

  const hints = new Later(async () => {
    const { Hints } = await import('./hints.js')
    return new Hints({
      scroller, scrubber,
      /** The server hears of it with the next position, or with this one. */
      tell(hint) {
        if (!shape.layout || !connection().session) return
        poster().hint(hint, shape.moving ? null : { time: performance.now(), scrollTop: scroller.top, phase: 'idle' })
        company.now?.foresaw(hint)
      },
    })
  })

  const toggleDashboard = () => dashboard.get().then((loaded) => loaded.toggle())
  const openRace = () => company.get().then(({ race }) => race.open())
  byId('dashboard-toggle').addEventListener('click', toggleDashboard)
  byId('race-open').addEventListener('click', openRace)
  addEventListener('keydown', (event) => {
    if (event.key !== 'd' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, select, dialog')) return
    toggleDashboard()
  })

  /** Opens the gallery, or the race that the address names. */
  async function open() {
    if (parameter('dashboard') !== null) await toggleDashboard().catch(() => {}) // it takes room from the pictures
    if (parameter('race') === null) connection().open()
    else openRace().catch(() => connection().open())
    for (const part of [hints, company, viewer, dashboard]) part.get().catch(() => {}) // tried again when it is wanted
  }

  return { company, dashboard, viewer, open }
}
