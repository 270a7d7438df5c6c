/**
 * `pnpm check`: types, lint, format, boundaries, rules, dead code, references, words and API documents, two at a time. All of them run,
 * even after one has failed; the output of a failing one is printed, and the exit code is 0 if all passed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The longest first: the others together take about as long. */
const CHECKS = [
  // One program for both: they share the parsed files and their types (ADR 0094).
  { name: 'types and lint', command: ['oxlint', '.'] },
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  {
    name: 'boundaries',
    command: ['depcruise', '--output-type=err', 'packages', 'services', 'sandbox', 'tests', 'bench'],
  },
  { name: 'rules', command: ['depcruise', '--config', 'rules.cjs', '--output-type=err', 'services'] },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  { name: 'references', command: ['node', 'scripts/check-references.ts'] },
  { name: 'words', command: ['node', 'scripts/check-words.ts'] },
  { name: 'API documents', command: ['node', 'scripts/lint-api-documents.ts'] },
] as const

type Outcome = { name: string; ok: boolean; output: string; seconds: string }

const run = async ({ name, command: [tool, ...args] }: (typeof CHECKS)[number]): Promise<Outcome> => {
  const startedAt = Date.now()
  const child = spawn(join(root, 'node_modules', '.bin', tool), args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { name, ok: code === 0, output, seconds: ((Date.now() - startedAt) / 1000).toFixed(1) }
}

const outcomes: Outcome[] = []
const waiting = CHECKS.values()
const runWaiting = async (): Promise<void> => {
  for (const check of waiting) {
    const outcome = await run(check)
    outcomes.push(outcome)
    console.log(`${outcome.ok ? 'ok  ' : 'FAIL'}  ${outcome.name} (${outcome.seconds} s)`)
    if (!outcome.ok) console.log(outcome.output)
  }
}
await Promise.all([runWaiting(), runWaiting()])
const failed = outcomes.filter(({ ok }) => !ok)
console.log(
  failed.length === 0 ? 'All checks passed' : `Failed: ${failed.map(({ name }) => name).join(', ')}`,
)
process.exitCode = failed.length === 0 ? 0 : 1
