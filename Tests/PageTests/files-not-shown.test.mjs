import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOnFilesNotShown } from '../../Public/js/galleries/files-not-shown.js'

test('the sentence on files not shown lists their kinds and the formats that this build cannot read', () => {
  assert.equal(
    sentenceOnFilesNotShown({ notShown: [{ kind: 'psd', count: 1200 }, { kind: 'avifs', count: 1 }] }),
    '1,201 files are not shown: 1,200 PSD, 1 AVIFS. Lookahead shows JPEG, PNG, WebP, GIF, BMP, HEIC, JPEG XL, TIFF and the previews in RAW files. This build can’t read AVIF.',
  )
})

test('the sentence on files not shown lists files and folders by reason', () => {
  assert.equal(
    sentenceOnFilesNotShown({
      leftOut: [
        { reason: 'unreadable', count: 1, names: ['private'] },
        { reason: 'notUTF8', count: 3, names: ['caf\\xe9.jpg', 'a/\\xff.jpg'] },
        { reason: 'a newer server’s', count: 2, names: ['b', 'c'] },
      ],
    }),
    '6 files and folders are not shown: 1 folder can’t be read: private; 3 names are not UTF-8: caf\\xe9.jpg, a/\\xff.jpg, …; 2 a newer server’s: b, c.',
  )
})

test('the sentence on files not shown names .nomedia folders and patterns that exclude files', () => {
  assert.equal(
    sentenceOnFilesNotShown({
      leftOut: [
        { reason: 'noMedia', count: 1, names: ['a'] },
        { reason: 'excluded', pattern: 'raw/', count: 4, names: ['b/raw', 'c/raw', 'raw'] },
      ],
    }),
    '5 files and folders are not shown: 1 folder has a .nomedia file: a; 4 files and folders match “raw/”: b/raw, c/raw, raw, ….',
  )
})

test('the sentence on files not shown is empty if every file is shown', () => assert.equal(sentenceOnFilesNotShown({}), ''))
