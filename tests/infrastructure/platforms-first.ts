import type { Test } from '@jest/reporters'
import { relative, sep } from 'node:path'
import TestSequencer from '@jest/test-sequencer'

/** Its types are those of a CommonJS module, which it is not when it is imported. */
const BySize = TestSequencer as unknown as typeof TestSequencer.default

/**
 * The files of `tests/`, which start whole platforms, before all others; among equals as jest sorts them, the largest
 * first. Otherwise a fresh clone, where no file's time is known, ends with a long one that leaves a processor idle.
 */
export default class PlatformsFirst extends BySize {
  override async sort(tests: Test[]): Promise<Test[]> {
    const startsPlatforms = ({ path, context }: Test) =>
      relative(context.config.rootDir, path).startsWith(`tests${sep}`)
    const sorted = await super.sort(tests)
    return [...sorted.filter(startsPlatforms), ...sorted.filter((one) => !startsPlatforms(one))]
  }
}
