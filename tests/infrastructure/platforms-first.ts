import type { Test } from '@jest/reporters'
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import TestSequencer from '@jest/test-sequencer'

/** Its types are those of a CommonJS module, which it is not when it is imported. */
const BySize = TestSequencer as unknown as typeof TestSequencer.default

/** Files that start platforms come first, then those that claim one: first those that leave it to the next. */
const rankOf = ({ path, context }: Test): number => {
  if (!relative(context.config.rootDir, path).startsWith(`tests${sep}`)) return 3
  const text = readFileSync(path, 'utf8')
  if (text.includes('platform.release()')) return 1
  return text.includes('platform.discard()') || text.includes('useOnboarding()') ? 2 : 0
}

/**
 * The files of `tests/`, which start whole platforms, before all others; among equals as jest sorts them, the largest
 * first. Otherwise a fresh clone, where no file's time is known, ends with a long one that leaves a processor idle.
 */
export default class PlatformsFirst extends BySize {
  override async sort(tests: Test[]): Promise<Test[]> {
    const ranks = new Map(tests.map((test) => [test, rankOf(test)]))
    return (await super.sort(tests)).sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
  }
}
