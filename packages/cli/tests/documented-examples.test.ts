import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { renderCommandLine } from '../src/reference-page.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8')

/** The help of each command, by its words. */
const helps = new Map(
  renderCommandLine()
    .split(/^## /m)
    .slice(1)
    .map((text): [string, string] => [text.slice(0, text.indexOf('\n')), text]),
)

/** The command that a line calls. */
const commandOf = (line: string): string | undefined =>
  [...helps.keys()].filter((name) => `${line} `.startsWith(`${name} `)).sort((a, b) => b.length - a.length)[0]

test.each([
  ['README.md', read('packages', 'cli', 'README.md'), 10],
  ['the help of the commands', [...helps.values()].join('\n'), 25],
])('finds every command and option that %s shows', (_name, text, least) => {
  const lines = [...text.matchAll(/^ {0,2}(causeway .+)$/gm)].map(([, line = '']) => line)
  expect(lines.length).toBeGreaterThan(least)
  for (const line of lines) {
    const command = commandOf(line)
    expect([line, command]).not.toEqual([line, 'causeway'])
    const known = `${helps.get(command ?? '') ?? ''}${helps.get('causeway') ?? ''}`
    const unknown = [...line.matchAll(/ (--[a-z-]+)/g)].filter(
      ([, option]) => !known.includes(`  ${option} `) && !known.includes(`, ${option} `),
    )
    expect([line, unknown.map(([, option]) => option)]).toEqual([line, []])
  }
})
