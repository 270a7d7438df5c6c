import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')
const PAGE = 'docs/SECURITY.md'
/** A test as cited by the page: its file, a colon, and a part of its title. */
const REFERENCE = /`([\w./-]+\.test\.ts): ([^`]+)`/g

/** A test file as cited by ASVS.md. */
const FILE = /`([\w./-]+\.test\.ts)`/g

const references = [...readFileSync(join(root, PAGE), 'utf8').matchAll(REFERENCE)].map(
  ([, file = '', title = '']) => [file, title] as const,
)

const citedFiles = new Set(
  [...readFileSync(join(root, 'docs/security/ASVS.md'), 'utf8').matchAll(FILE)].map(([, file = '']) => file),
)

/** Titles may be wrapped, quoted or escaped in the source. */
const plain = (text: string): string => text.replaceAll(/\\(['"`])/g, '$1').replaceAll(/\s+/g, ' ')

test('cites more than 30 tests', () => {
  expect(references.length).toBeGreaterThan(30)
})

test.each(references)('finds in %s the test "%s"', (file, title) => {
  expect(plain(readFileSync(join(root, file), 'utf8'))).toContain(plain(title))
})

test('finds every test file that ASVS.md cites', () => {
  expect(citedFiles.size).toBeGreaterThan(10)
  expect([...citedFiles].filter((file) => !existsSync(join(root, file)))).toEqual([])
})
