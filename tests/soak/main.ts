/** `pnpm soak [--minutes N] [--hours N] [--seed S]`: docs/TESTING.md. The exit code is 1 when anything was found. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { reportOf } from './report.ts'
import { runSoak } from './soak.ts'

const { values: flags } = parseArgs({
  options: { minutes: { type: 'string' }, hours: { type: 'string' }, seed: { type: 'string' } },
})
const DEFAULT_MINUTES = 3
const minutes = Number(
  flags.minutes ?? (flags.hours === undefined ? DEFAULT_MINUTES : Number(flags.hours) * 60),
)
const seed = Number(flags.seed ?? randomInt(2 ** 31))
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write('soak: --minutes and --hours take a number above 0, --seed an integer\n')
  process.exit(1)
}
const log = (line: string): void => void process.stdout.write(`${line}\n`)
const asked = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => asked.abort())
try {
  const result = await runSoak({ seed, loadMs: minutes * 60_000, log, signal: asked.signal })
  log(reportOf(result))
  process.exitCode = result.findings.found.length === 0 ? 0 : 1
} catch (error) {
  if (!asked.signal.aborted) throw error
  log('soak: ended early, nothing was checked')
  process.exitCode = 1
}
// A run of an hour once ended, printed its report and then never left Node's own clean-up, with a core busy.
process.exit()
