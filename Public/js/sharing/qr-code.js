// QR codes (ISO/IEC 18004, model 2): bytes of UTF-8, error correction level M. The algorithm is that of Project Nayuki's QR Code generator
// (https://www.nayuki.io/page/qr-code-generator-library). Only versions up to 27: a phone cannot read smaller modules in the Share panel.

/** @typedef {boolean[][]} Modules Rows of modules; true is dark. */

const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26] // bytes of error correction in a block, then 28
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25] // by version
const LEVEL = 0 // M, in the format bits

/** @type {((x: number, y: number) => number)[]} A module is inverted if its mask is 0. */
const MASKS = [
  (x, y) => (x + y) % 2,
  (_x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
]

/** Returns the modules of the smallest code of a text, without the quiet zone. Null if the text is too long. */
export function qrModules(/** @type {string} */ text) {
  const bytes = [...new TextEncoder().encode(text)]
  const version = BLOCKS.findIndex((_, index) => bytes.length <= dataLength(index + 1) - (index < 9 ? 2 : 3)) + 1
  if (!version) return null
  const grid = functionPatterns(version)
  const free = placement(grid)
  const codewords = interleaved(payload(bytes, version), version)
  const candidates = MASKS.map((mask, number) => {
    const modules = grid.map((row) => row.map(Boolean))
    free.forEach(([x, y], index) => {
      const bit = ((codewords[index >> 3] ?? 0) >> (7 - (index & 7))) & 1
      modules[y][x] = (bit === 1) !== (mask(x, y) === 0)
    })
    writeFormat(modules, number)
    return { modules, penalty: penaltyOf(modules) }
  })
  return candidates.reduce((best, next) => (next.penalty < best.penalty ? next : best)).modules
}

/** Returns the path of the dark modules, for an SVG in which a module is one unit wide. */
export function qrPath(/** @type {Modules} */ modules) {
  const runs = (bits, y) => [...bits.matchAll(/1+/g)].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
  return modules.flatMap((row, y) => runs(inBits(row), y)).join('')
}

const inBits = (/** @type {boolean[]} */ row) => row.map(Number).join('')

/** Number of bytes in a code, for data and error correction. */
function capacity(version) {
  const rows = version > 1 ? Math.floor(version / 7) + 2 : 0 // of alignment patterns
  const alignment = rows ? 25 * (rows * rows - 3) - 10 * (rows - 2) : 0 // two patterns cross a timing pattern in each inner row
  return Math.floor(((4 * version + 17) ** 2 - 3 * 64 - 31 - 2 * (4 * version + 1) - alignment - (version < 7 ? 0 : 36)) / 8)
}

const checksOf = (version) => CHECKS[version - 1] ?? 28

const dataLength = (version) => capacity(version) - checksOf(version) * BLOCKS[version - 1]

/** Mode, length, text and end fill whole bytes. Padding follows. */
function payload(bytes, version) {
  const hex = (value, digits) => value.toString(16).padStart(digits, '0')
  const digits = `4${hex(bytes.length, version < 10 ? 2 : 4)}${bytes.map((byte) => hex(byte, 2)).join('')}0`
  const used = digits.match(/../g).map((pair) => parseInt(pair, 16))
  return Array.from({ length: dataLength(version) }, (_, index) => used[index] ?? ((index - used.length) % 2 ? 0x11 : 0xec))
}

/** Splits the data into blocks, adds the error correction of each, and takes bytes from all blocks in turn. */
function interleaved(data, version) {
  const [checks, count] = [checksOf(version), BLOCKS[version - 1]]
  let generator = [1]
  for (let step = 0, root = 1; step < checks; step++, root = product(root, 2)) {
    const factor = root
    generator = [...generator, 0].map((coefficient, index) => coefficient ^ product(generator[index - 1] ?? 0, factor))
  }
  const [short, long] = [Math.floor(data.length / count), data.length % count] // the last `long` blocks have one byte more
  const start = (block) => block * short + Math.max(0, block - count + long)
  const blocks = Array.from({ length: count }, (_, block) => data.slice(start(block), start(block + 1)))
  const inTurn = (lists) => Array.from({ length: lists.at(-1).length }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat()
  return [...inTurn(blocks), ...inTurn(blocks.map((block) => remainder(block, generator)))]
}

/** Product in the field of 256 elements. */
function product(a, b) {
  let result = 0
  for (let bit = 7; bit >= 0; bit--) result = (result << 1) ^ ((result >> 7) * 0x11d) ^ (((b >> bit) & 1) * a)
  return result
}

function remainder(bytes, generator) {
  const rest = [...bytes, ...Array(generator.length - 1).fill(0)]
  for (let at = 0; at < bytes.length; at++) {
    const factor = rest[at]
    generator.forEach((coefficient, index) => (rest[at + index] ^= product(coefficient, factor)))
  }
  return rest.slice(bytes.length)
}

/** Returns the grid with all patterns that do not depend on the text. Free modules are null. @returns {(boolean | null)[][]} */
function functionPatterns(version) {
  const size = 4 * version + 17
  const grid = Array.from({ length: size }, () => Array(size).fill(null))
  const set = (x, y, isDark) => grid[y]?.[x] !== undefined && (grid[y][x] = isDark)
  const square = (x, y, radius, isDark) => {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
    }
  }
  for (let at = 0; at < size; at++) for (const [x, y] of [[at, 6], [6, at]]) set(x, y, at % 2 === 0)
  const corners = [[3, 3], [size - 4, 3], [3, size - 4]]
  for (const [x, y] of corners) square(x, y, 4, (distance) => distance !== 2 && distance !== 4)
  const rows = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + rows * 3 + 5) / (rows * 4 - 4)) * 2
  const centres = version > 1 ? [6, ...Array.from({ length: rows - 1 }, (_, row) => size - 7 - (rows - 2 - row) * step)] : []
  const isCorner = (x, y) => corners.some(([left, top]) => Math.abs(left - x) < 5 && Math.abs(top - y) < 5)
  for (const x of centres) for (const y of centres) if (!isCorner(x, y)) square(x, y, 2, (distance) => distance !== 1)
  const bits = checked(version, 12, 0x1f25)
  for (let bit = 0; bit < (version < 7 ? 0 : 18); bit++) {
    const [near, far] = [Math.floor(bit / 3), size - 11 + (bit % 3)]
    for (const [x, y] of [[near, far], [far, near]]) set(x, y, ((bits >> bit) & 1) === 1)
  }
  writeFormat(grid, 0) // takes the place until the mask is known
  return grid
}

/** Appends the check bits of a BCH code to a value. */
function checked(value, count, generator) {
  let rest = value
  for (let bit = 0; bit < count; bit++) rest = (rest << 1) ^ ((rest >> (count - 1)) * generator)
  return (value << count) | rest
}

/** Writes the level and the mask twice, and the module that is always dark. */
function writeFormat(grid, mask) {
  const bits = checked((LEVEL << 3) | mask, 10, 0x537) ^ 0x5412
  const size = grid.length
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((bits >> bit) & 1) === 1
    const [down, across] = [bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit]
    grid[down][8] = isDark
    grid[8][across] = isDark
  }
  grid[size - 8][8] = true
}

/** Returns the free modules as [x, y] in the order of the bits: up and down in columns of two, from the right. */
function placement(grid) {
  const free = []
  for (let right = grid.length - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right -= 1 // the timing pattern
    for (let step = 0; step < grid.length; step++) {
      const y = isUp ? grid.length - 1 - step : step
      for (const x of [right, right - 1]) if (grid[y][x] === null) free.push([x, y])
    }
  }
  return free
}

/** Returns how hard a code is to read: it has long runs, blocks of four, patterns like a corner, or too few or too many dark modules. */
function penaltyOf(/** @type {Modules} */ modules) {
  const size = modules.length
  const lines = [...modules, ...modules.map((_, x) => modules.map((row) => row[x]))].map(inBits)
  let penalty = 0
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2
    penalty += 40 * (line.match(/(?=10111010000|00001011101)/g)?.length ?? 0)
  }
  for (let y = 1; y < size; y++) for (let x = 1; x < size; x++) {
    const isDark = modules[y][x]
    if (modules[y][x - 1] === isDark && modules[y - 1][x] === isDark && modules[y - 1][x - 1] === isDark) penalty += 3
  }
  const dark = modules.flat().filter(Boolean).length / (size * size)
  return penalty + 10 * Math.floor(Math.abs(dark - 0.5) * 20)
}
