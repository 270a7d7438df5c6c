import { expect, test } from '@jest/globals'
import { findPhrases } from './words.ts'

test('finds a phrase of the word list with its line', () => {
  expect(findPhrases('Retries follow.\nThe queue Goes on.')).toEqual([{ line: 2, phrase: 'Goes on' }])
})

test('finds a phrase that continues on the next line of a comment', () => {
  expect(findPhrases('/**\n * Has a key of its\n * own.\n */')).toEqual([{ line: 2, phrase: 'of its own' }])
})

test.each(['What', 'Whether', 'Of'])('finds a doc comment that begins with "%s"', (word) => {
  expect(findPhrases(`const a = 1\n/**\n * ${word} it names.\n */`)).toEqual([
    { line: 2, phrase: `/** ${word}` },
  ])
})

test('accepts words that only contain a phrase', () => {
  expect(findPhrases('/** Lists besides what understands of it. */')).toEqual([])
})
