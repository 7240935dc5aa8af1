// The way into a race: its code is loaded when it is first wanted.

/** `opening()` is told before the dialog opens, `left()` when it has closed; `recorded()` gives the person's last scroll. */
export function offerRace(dialog, { recorded, opening, left }) {
  let race
  async function open() {
    const { Race } = await import('./race.js')
    race ??= new Race(dialog, { recorded, left })
    opening()
    await race.open()
  }
  return { open }
}
