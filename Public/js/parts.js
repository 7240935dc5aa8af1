// The parts of the page that the first screen can do without: each is loaded when it is first wanted, and all of them once
// the gallery has been asked for.

import { parameter, setParameters } from './address-bar.js'
import { toggleFullScreen } from './header/header.js'
import { Later } from './later.js'

const byId = (id) => document.getElementById(id)

/**
 * `gallery()`, `items()`, `connection()` and `poster()` are the page's now; `still()`: the person wants no motion; `say(text)` speaks
 * politely; `viewed(item)` hears which picture was seen last when the viewer closes.
 */
export function parts({ grid, pictures, scroller, scrubber, shape, work, visible, gallery, items, connection, poster, say, still, viewed }) {
  const dashboard = new Later(async () => {
    const { Dashboard } = await import('./dashboard.js')
    return new Dashboard(byId('dashboard'), byId('dashboard-toggle'), byId('status'), grid, () =>
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

  const openRace = () => company.get().then(({ race }) => race.open())
  /** The same scroll once more, with prefetching and without: on a line of their own, beside each other. */
  const compare = document.querySelector('[data-part="compare"]')
  compare.addEventListener('click', () => {
    setParameters({ race: 'lookahead:off,lookahead', trace: 'recorded' })
    openRace()
  })
  const toggleDashboard = () => dashboard.get().then((loaded) => loaded.toggle())
  byId('dashboard-toggle').addEventListener('click', toggleDashboard)
  byId('race-open').addEventListener('click', openRace)
  addEventListener('keydown', (event) => {
    const isField = event.target.closest?.('select, dialog, input:not([type=radio], [type=range], [type=checkbox])')
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'd') toggleDashboard()
    else if (event.key === 'f') toggleFullScreen()
    else if (event.key === '?') import('./keys/sheet.js').then(({ toggleKeys }) => toggleKeys(byId('keys')))
  })

  /** Opens the gallery, or the race that the address names. */
  async function open() {
    if (parameter('dashboard') !== null) await toggleDashboard().catch(() => {}) // it takes room from the pictures
    if (parameter('race') === null) connection().open()
    else openRace().catch(() => connection().open())
    import('./paper/paper.js').then(({ offerPaper }) => offerPaper(byId('paper'), () =>
      shape.layout && { gallery: gallery(), items: items(), pictures, inSight: shape.inSight(), sections: shape.sections })).catch(() => {})
    import('./galleries/switcher.js').then(({ offerGalleries }) => offerGalleries(byId('galleries-open'), byId('galleries'), gallery)).catch(() => {})
    for (const part of [hints, company, viewer, dashboard]) part.get().catch(() => {}) // tried again when it is wanted
  }

  return { company, dashboard, viewer, open }
}
