import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { addChangesets, notesOf, releaseChanges, versionFault } from './changelog.ts'
import { LAST_VERSION } from './last-release.ts'

const CHANGELOG = `# Changelog

## Unreleased

### Before you upgrade

- Nothing.

## 0.10.0 (2026-12-01)

Tenth.

## 0.1.0

First.
`

test('requires the version of the last release in every package, and its section in CHANGELOG.md', () => {
  const manifests = execFileSync('git', ['ls-files', 'package.json', '*/package.json'], { encoding: 'utf8' })
  const versions = manifests
    .trim()
    .split('\n')
    .map((file) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version)
  expect(new Set(versions)).toEqual(new Set([LAST_VERSION]))
  expect(notesOf(readFileSync('CHANGELOG.md', 'utf8'), LAST_VERSION)).not.toBe('')
})

describe('the reader of release notes', () => {
  test('returns the section of a version, with or without a date', () => {
    expect(notesOf(CHANGELOG, '0.10.0')).toBe('Tenth.')
    expect(notesOf(CHANGELOG, '0.1.0')).toBe('First.')
  })

  test('returns null for a version without a section', () => {
    expect(() => notesOf(CHANGELOG, '0.1')).toThrow('CHANGELOG.md has no section “## 0.1”')
  })
})

describe('the section of unreleased changes', () => {
  test('becomes the section of the version', () => {
    const released = releaseChanges(CHANGELOG, '0.11.0', '2026-12-24')
    expect(released).toBe(CHANGELOG.replace('## Unreleased', '## 0.11.0 (2026-12-24)'))
    expect(notesOf(released, '0.11.0')).toBe('### Before you upgrade\n\n- Nothing.')
  })

  test.each([
    ['it has no section for unreleased changes', CHANGELOG.replace('## Unreleased', '## 0.11.0'), 'has no section “## Unreleased”'],
    ['it says nothing to operators', CHANGELOG.replace('### Before you upgrade', '### Changed'), 'Before you upgrade'],
  ])('is refused where %s', (_, text, fault) => {
    expect(() => releaseChanges(text, '0.12.0', '2026-12-24')).toThrow(fault)
  })
})

test.each([
  ['0.10.1', '0.10.0', null],
  ['0.10.0', '0.9.0', null],
  ['0.9.0', '0.10.0', '0.9.0 does not follow the last release, 0.10.0'],
  ['0.10.0', '0.10.0', '0.10.0 does not follow the last release, 0.10.0'],
  ['v0.11.0', '0.10.0', 'v0.11.0 is not a version: write it as 1.2.3'],
])('judges the version %s after %s: %s', (version, last, fault) => {
  expect(versionFault(version, last)).toBe(fault)
})

describe('the collection of changesets', () => {
  const changeset = (section: string, text: string) => `---\nsection: ${section}\n---\n\n${text}\n`

  test('adds them to the sections of unreleased changes, after earlier entries', () => {
    const changed = addChangesets(CHANGELOG.replace('- Nothing.', '- Nothing.\n\n### Fixed\n\n- One.'), {
      'a.md': changeset('Fixed', 'Two.\nOn two lines.'),
      'b.md': changeset('Added', 'Three for $&.'),
    })
    expect(changed).toBe(
      CHANGELOG.replace(
        '- Nothing.',
        () => '- Nothing.\n\n### Added\n\n- Three for $&.\n\n### Fixed\n\n- One.\n- Two.\n  On two lines.',
      ),
    )
  })

  test('begins a section of unreleased changes after a release', () => {
    const released = releaseChanges(CHANGELOG, '0.11.0', '2026-12-24')
    const changed = addChangesets(released, { 'a.md': changeset('Before you upgrade', 'Nothing.') })
    expect(notesOf(changed, 'Unreleased')).toBe('### Before you upgrade\n\n- Nothing.')
    expect(notesOf(changed, '0.11.0')).toBe(notesOf(released, '0.11.0'))
  })

  test.each([
    ['an unknown section', changeset('News', 'Text.')],
    ['no text', changeset('Fixed', '')],
    ['no section', 'Text.'],
  ])('refuses one with %s by its file name', (_, text) => {
    expect(() => addChangesets(CHANGELOG, { 'a.md': text })).toThrow('a.md needs a section')
  })
})
