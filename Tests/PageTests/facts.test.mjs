import assert from 'node:assert/strict'
import { test } from 'node:test'
import { badgeInWords, labelInWords, timeInWords } from '../../Public/js/grid/picture-in-words.js'
import { cameraName, dateInWords, exposureInWords, factsOf, isNameOf, placeInWords, sizeInWords } from '../../Public/js/viewer/facts.js'

const plain = (text) => text.replaceAll('\u00a0', ' ')

test('a date is written as local time, with its offset if known', () => {
  assert.equal(dateInWords({ time: '2019-07-12T14:03:22.25', offset: '+02:00' }), 'Friday, 12 July 2019, 14:03:22 +02:00')
  assert.equal(dateInWords({ time: '2020-02-29T00:00:00' }), 'Saturday, 29 February 2020, 00:00:00')
  assert.equal(dateInWords({ time: '2019-07' }), 'July 2019')
})

test('a camera name contains the maker only once', () => {
  assert.equal(cameraName({ make: 'NIKON CORPORATION', model: 'NIKON Z 6' }), 'NIKON Z 6')
  assert.equal(cameraName({ make: 'FUJIFILM', model: 'X-T4' }), 'FUJIFILM X-T4')
  assert.equal(cameraName({ model: 'Pixel 8' }), 'Pixel 8')
  assert.equal(cameraName({ make: 'Canon' }), 'Canon')
  assert.equal(cameraName(undefined), '')
})

test('an exposure lists only the known values', () => {
  assert.equal(plain(exposureInWords({ seconds: 0.004, aperture: 2.8, iso: 100, focalLength: 50 })), '1/250 s · f/2.8 · ISO 100 · 50 mm')
  assert.equal(plain(exposureInWords({ seconds: 2.5, iso: 6400 })), '2.5 s · ISO 6400')
  assert.equal(exposureInWords(undefined), '')
})

test('a place is written with hemispheres, and a size with units', () => {
  assert.equal(plain(placeInWords({ latitude: 48.85837, longitude: 2.294481, altitude: 35.4 })), '48.8584° N, 2.2945° E, 35 m')
  assert.equal(plain(placeInWords({ latitude: -33.8568, longitude: -70.5 })), '33.8568° S, 70.5000° W')
  assert.equal(plain(sizeInWords({ width: 6000, height: 4000, bytes: 8_240_000 })), '6,000 × 4,000 pixels · 8.2 MB')
  assert.equal(plain(sizeInWords({ bytes: 999_400 })), '999 kB')
  assert.equal(plain(sizeInWords({ bytes: 12 })), '1 kB')
})

test('unknown facts have no line', () => {
  const facts = factsOf({ width: 300, height: 200 }, { name: 'IMG_1', section: undefined, place: '1 of 2' })
  assert.deepEqual(facts.map(({ term }) => term), ['Size', 'Number'])
})

test('the File line is omitted if the title matches the file name', () => {
  for (const [title, file] of [['IMG 1', 'IMG_1.jpg'], ['IMG_1', 'IMG_1.jpg'], ['a_b.jpg', 'a_b.jpg']]) assert.ok(isNameOf(title, file), title)
  assert.ok(!isNameOf('IMG 1', 'IMG_10.jpg') && !isNameOf('Evening', 'IMG_1.jpg') && !isNameOf('Evening', undefined))
  assert.deepEqual(factsOf({ name: 'IMG_1.jpg' }, { name: 'IMG 1', section: undefined, place: '1 of 2' }).map(({ term }) => term), ['Number'])
})

test('a date from the file system is labelled “File date”', () => {
  const taken = { time: '2026-11-28T20:12:50', offset: '+00:00', source: 'file', offsetSource: 'server' }
  const [date] = factsOf({ taken }, { name: 'a', section: undefined, place: '1 of 2' })
  assert.deepEqual([date.term, date.text, date.small], ['File date', 'Saturday, 28 November 2026, 20:12:50 +00:00', undefined])
})

test('the facts of a Live Photo or motion photo name its kind and the paired video file', () => {
  const gallery = { name: 'IMG_1', section: undefined, place: '1 of 2' }
  const [kind, file] = factsOf({ name: 'IMG_1.HEIC', kind: 'live', pairedWith: ['IMG_1.MOV'] }, gallery)
  assert.deepEqual([kind.term, kind.text], ['Kind', 'Live Photo with a video file'])
  assert.deepEqual([file.term, file.small], ['File', 'with IMG_1.MOV'])
  assert.equal(factsOf({ kind: 'motion' }, gallery)[0].text, 'Motion photo with a video inside')
})

test('facts carry coordinates for a place, a filter for a camera, and the file name if the title differs', () => {
  const facts = factsOf(
    { taken: { time: '2019-07-12T14:03:22', source: 'name' }, camera: { make: 'Canon', model: 'EOS R5' }, location: { latitude: 1.5, longitude: -2 }, path: 'a/b/1.jpg', name: '1.jpg', rating: 3 },
    { name: 'One', section: 'a/b', place: '1 of 1' })
  const of = (name) => facts.find(({ term }) => term === name)
  assert.deepEqual(of('Place').location, { latitude: 1.5, longitude: -2 })
  assert.deepEqual(of('Camera').filter, { camera: 'Canon EOS R5' })
  assert.deepEqual([of('Folder').text, of('File').text, of('Rating').text, of('Taken').small], ['a/b', '1.jpg', '★★★☆☆', 'from the file name'])
})

test('a duration is written in hours, minutes and seconds, with a minimum of one second', () => {
  assert.deepEqual([0.2, 10.24, 59.6, 65, 3665].map(timeInWords), ['0:01', '0:10', '1:00', '1:05', '1:01:05'])
  const facts = factsOf({ duration: 65 }, { name: 'a', section: undefined, place: '1 of 2' })
  assert.deepEqual(facts.find(({ term }) => term === 'Length')?.text, '1:05')
})

test('Live Photos, videos, GIFs and panoramas have a badge, and other pictures have none', () => {
  const badges = [{ kind: 'live', duration: 2 }, { kind: 'motion' }, { duration: 65 }, { file: 'a.GIF' }, { width: 9000, height: 3000 }].map(badgeInWords)
  assert.deepEqual(badges, ['Live', 'Live', '1:05', 'GIF', 'Panorama'])
  for (const known of [{}, { file: 'a.jpg', width: 2400, height: 900 }, { width: 300, height: 9000 }]) assert.equal(badgeInWords(known), '')
})

test('the label of a picture contains its kind, date and name, if known', () => {
  const taken = { time: '2019-07-12T14:03:22' }
  assert.equal(labelInWords('Picture 7', undefined), 'Picture 7')
  assert.equal(labelInWords('IMG 1193', { taken }), 'Photo, 12 July 2019, IMG 1193')
  assert.equal(labelInWords('IMG 1193', {}), 'Photo, IMG 1193')
  assert.equal(labelInWords('IMG 1193', { taken, kind: 'live', duration: 2 }), 'Live Photo, 12 July 2019, IMG 1193')
  assert.equal(labelInWords('a', { taken, duration: 65 }), 'Video, 1:05, 12 July 2019, a')
  assert.equal(labelInWords('a', { isVideo: true }), 'Video, a')
  assert.equal(labelInWords('a', { file: 'a.gif' }), 'GIF, a')
})
