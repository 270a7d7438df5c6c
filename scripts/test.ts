/**
 * `pnpm test [jest arguments]`: runs the tests and ends with the line `N passed, N failed`. The exit code is
 * jest's; a suite that could not run counts as a failed test. `TEST_SEED` repeats the random values of a run, which
 * prints its seed at its beginning and end.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { RESERVATIONS } from '@causeway/dev-env/infrastructure/free-port'
import { openTestFolder } from './test-folder.ts'
import { summaryLine } from './test-summary.ts'

const root = dirname(import.meta.dirname)
const jest = createRequire(import.meta.url).resolve('jest/bin/jest')
const folder = openTestFolder({ memory: '/dev/shm', disk: tmpdir() })
const outputFile = join(folder.path, 'results.json')

const seed = process.env['TEST_SEED'] ?? String(randomInt(2 ** 31))
const seedLine = `Random values are generated from TEST_SEED=${seed}`
console.log(seedLine)

const child = spawn(
  process.execPath,
  [
    // Tests of published packages run them in a realm like a browser's.
    '--experimental-vm-modules',
    // Published packages have a source next to their compiled form: in this repository the source runs.
    '--conditions=platform-source',
    '--disable-warning=ExperimentalWarning',
    jest,
    '--json',
    `--outputFile=${outputFile}`,
    ...process.argv.slice(2),
  ],
  // With --json jest prints the results on stdout too; its readable report is on stderr.
  {
    cwd: root,
    env: { ...process.env, TEST_SEED: seed, TMPDIR: folder.path, PORT_RESERVATIONS: RESERVATIONS },
    stdio: ['inherit', 'ignore', 'inherit'],
  },
)
const forward = (signal: NodeJS.Signals) => child.kill(signal)
process.on('SIGINT', forward)
process.on('SIGTERM', forward)
const [code] = (await once(child, 'exit')) as [number | null]

const { line, ok, failures } = summaryLine(() => readFileSync(outputFile, 'utf8'))
folder.remove()
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n\n')}\n`)
console.log(seedLine)
console.log(line)
process.exitCode = code === 0 && !ok ? 1 : (code ?? 1)
