// The first screen, rendered while the rest of the page's code is loading: the first cells with their section titles, the scrubber,
// and the pictures that arrive early. The page then continues with these objects.

import { GridLayout } from '../layout/grid-layout.js'
import { normalized } from '../layout/sections.js'
import { Scrubber } from '../scrubber/scrubber.js'
import { Placeholders } from '../thumbnails/placeholders.js'
import { ThumbnailCache } from '../thumbnails/thumbnail-cache.js'
import { Grid } from './grid.js'
import { SectionHeaders } from './section-headers.js'

const byId = (/** @type {string} */ id) => document.getElementById(id)

export class FirstScreen {
  thumbnails = new ThumbnailCache()
  placeholders = new Placeholders()
  layout
  grid
  sectionHeaders
  scrubber

  /** `options` is the `layout` of the API, of kind grid, for a viewport of `width` and `height`. `room` as for the scrubber. */
  constructor(gallery, options, { width, height }, room) {
    const { sections, itemCount } = gallery
    const still = /** @type {any} */ ({ element: byId('scroller'), top: 0, height, origin: 0, limit: 0 }) // until the scroller exists
    this.layout = new GridLayout(options, width, normalized(sections, itemCount), itemCount)
    this.grid = new Grid(byId('grid'), still, {
      thumbnails: this.thumbnails, describe: () => '', hash: (item) => this.placeholders.hash(item), color: () => '', recycling: () => {},
    })
    this.placeholders.arrived = (range) => this.grid.learn(range)
    this.placeholders.begin(gallery)
    this.placeholders.want(this.layout.items(0, height))
    this.sectionHeaders = new SectionHeaders(byId('headers'), byId('stuck'), still)
    this.scrubber = new Scrubber(byId('scrubber'), still, () => {}, room)
    byId('sizer').style.height = `${height}px` // prevents scrolling until the page can handle it
    this.grid.setLayout(this.layout)
    this.grid.render()
    this.sectionHeaders.setLayout(this.layout)
    this.sectionHeaders.render()
    this.scrubber.begin(gallery)
    this.scrubber.setLayout(this.layout)
  }

  received(picture) {
    this.thumbnails.receive(picture)
    this.placeholders.learn(picture.item, picture.thumbHash)
    this.grid.arrived(picture.item)
  }
}
