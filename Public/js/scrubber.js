// The whole gallery as a rail: titles of sections, where one is, and a preview of where a drag would lead.

const LINE = 26 // px a title takes at least

const number = new Intl.NumberFormat('en')

export class Scrubber {
  /** `seek(top)` moves the gallery; `held` is true while a pointer drags. */
  constructor(rail, scroller, seek) {
    Object.assign(this, { rail, scroller, seek })
    this.part = (name) => rail.querySelector(`[data-part="${name}"]`)
    this.held = false
    rail.addEventListener('pointerdown', (event) => {
      if (event.button > 0) return
      rail.setPointerCapture(event.pointerId)
      this.held = true
      this.#drag(event)
    })
    rail.addEventListener('pointermove', (event) => this.#drag(event))
    rail.addEventListener('pointerleave', () => (this.part('bubble').hidden = true))
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) rail.addEventListener(type, () => (this.held = false))
    rail.addEventListener('keydown', (event) => this.#pressed(event))
    new ResizeObserver(() => this.#label()).observe(rail)
  }

  /** Takes its room, or gives it back, before the gallery is laid out in what is left. */
  begin(sections) {
    this.rail.hidden = !(sections?.length > 1)
    document.documentElement.toggleAttribute('data-rail', !this.rail.hidden)
  }

  setLayout(layout) {
    this.layout = layout
    this.rail.setAttribute('aria-valuemax', layout.sections.length)
    this.#label()
    this.moved()
  }

  moved() {
    if (!this.layout || this.rail.hidden) return
    const share = this.scroller.limit ? this.scroller.top / this.scroller.limit : 0
    this.part('here').style.transform = `translateY(${share * (this.rail.clientHeight - 2)}px)`
    const section = this.layout.sectionAt(this.scroller.top)
    if (section === this.section) return
    this.section = section
    this.rail.setAttribute('aria-valuenow', section + 1)
    this.rail.setAttribute('aria-valuetext', this.layout.sections[section].title || 'Untitled')
  }

  /** As many titles as fit, spread evenly over the height, each where its section begins. */
  #label() {
    const height = this.rail.clientHeight
    if (!this.layout || this.rail.hidden || !height) return
    const { sections, contentHeight } = this.layout
    const labels = []
    let free = 0
    const step = Math.max(1, Math.floor(sections.length / (height / 4))) // ten thousand sections: not each is looked at
    for (let section = 0; section < sections.length; section += step) {
      const y = (this.layout.header(section).y / contentHeight) * height
      if (y < free || y > height - LINE) continue
      free = y + LINE
      const label = document.createElement('span')
      label.textContent = sections[section].title
      label.style.transform = `translateY(${y}px)`
      labels.push(label)
    }
    this.part('labels').replaceChildren(...labels)
  }

  #drag(event) {
    const box = this.rail.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientY - box.top) / box.height))
    const top = share * this.scroller.limit
    const { from } = this.layout.items(top, top + this.scroller.height)
    const section = this.layout.sections[this.layout.sectionAt(top)]
    const bubble = this.part('bubble')
    bubble.hidden = false
    bubble.style.transform = `translateY(${Math.min(box.height - 44, Math.max(0, share * box.height - 22))}px)`
    bubble.firstElementChild.textContent = section.title || 'Untitled'
    bubble.lastElementChild.textContent = number.format(from + 1)
    if (this.held) this.seek(top)
  }

  #pressed(event) {
    const last = this.layout.sections.length - 1
    const here = this.layout.sectionAt(this.scroller.top + 1)
    const ten = Math.max(1, Math.round(last / 10))
    const targets = { ArrowUp: here - 1, ArrowLeft: here - 1, ArrowDown: here + 1, ArrowRight: here + 1, PageUp: here - ten, PageDown: here + ten, Home: 0, End: last }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    this.seek(this.layout.header(Math.min(last, Math.max(0, target))).y)
  }
}
