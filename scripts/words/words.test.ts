import { expect, test } from '@jest/globals'
import { findPhrases, isChecked } from './words.ts'

test('finds a phrase of the word list with its line', () => {
  expect(findPhrases('Retries follow.\nThe queue Goes on.')).toEqual([
    { line: 2, phrase: 'Goes on', instead: 'continues' },
  ])
})

test('finds a phrase that continues on the next line of a comment', () => {
  const found = [{ line: 2, phrase: 'of its own', instead: 'own, or separate' }]
  expect(findPhrases('/**\n * Has a key of its\n * own.\n */')).toEqual(found)
  expect(findPhrases('#!/bin/sh\n# Has a key of its\n# own.\n')).toEqual(found)
})

test.each(['What', 'Whether', 'Of'])('finds a doc comment that begins with "%s"', (word) => {
  expect(findPhrases(`const a = 1\n/**\n * ${word} it names.\n */`)).toEqual([
    { line: 2, phrase: `/** ${word}`, instead: 'a verb or a noun phrase' },
  ])
})

test.each([
  ["test('the order is paid', () => {})", 1, 'the'],
  ['  it(\n    `of ${n} orders one is paid`, () => {})', 2, 'of'],
  ["test.each([\n  ['a', f(1)],\n])('a %s is paid', () => {})", 3, 'a'],
  ["test.each<[string]>(ROWS)(\n  'when it is paid', () => {})", 2, 'when'],
])('finds a test title that begins with a noun or a clause: %j', (text, line, first) => {
  expect(findPhrases(text)).toEqual([
    { line, phrase: `test('${first}`, instead: 'a verb in the third person' },
  ])
})

test.each([
  "test('pays the order', () => {})",
  "test.each(ROWS)('%s', () => {})\ndescribe.each(ROWS)('the order', () => {})",
  "expect(/x/.test('a text')).toBe(true)",
])('accepts a test title that begins with a verb, and other calls: %j', (text) => {
  expect(findPhrases(text)).toEqual([])
})

test('accepts words that only contain a phrase', () => {
  expect(findPhrases('/** Lists besides what understands of it. */')).toEqual([])
})

test.each([
  ['services/ledger/src/main.ts', true],
  ['deploy/backup.sh', true],
  ['docs/spec/decisions.md', true],
  ['docs/spec/api.md', false],
  ['services/ledger/migrations/1_books.sql', false],
  ['releases/0.1.0/webhook-verifier/verify.js', false],
])('checks %s: %p', (path, checked) => {
  expect(isChecked(path)).toBe(checked)
})
