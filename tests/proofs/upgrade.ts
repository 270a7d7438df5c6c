/**
 * `pnpm prove:upgrade [--seconds N] [--rate N]`: installs the last release with its own secrets, databases and permissions,
 * upgrades it to this version as an operator does and takes it back, one process at a time, while customers sign up, pay
 * and are refunded. The exit code is 1 where a request failed, or an event was lost or doubled.
 */
import { parseArgs } from 'node:util'
import { findLastRelease } from '../journeys/released-code.ts'
import { walkUpgrade } from '../journeys/upgrade-walk.ts'
import { wholeNumber } from './arguments.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string' }, rate: { type: 'string' } } })
const release = findLastRelease()
if ('missing' in release) throw new Error(`The last release cannot be read: ${release.missing}`)
const startedMs = performance.now()
const { requests, errands, failures, wrong, missing, doubled, wasReadyTooEarly } = await walkUpgrade({
  ...release,
  perSecond: wholeNumber('--rate', values.rate) ?? 4,
  pauseMs: 1_000 * (wholeNumber('--seconds', values.seconds) ?? 20),
  log: (line) =>
    console.log(`${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(6)} s  ${line}`),
})
console.log(`${requests} requests, ${failures.length} failed; ${errands} errands done in full`)
console.log(`${wrong.length} wrong, ${missing.length} events lost, ${doubled.length} events doubled`)
for (const each of [...new Set(failures), ...wrong, ...missing, ...doubled]) console.error(each)
if (wasReadyTooEarly) console.error('payments was ready while NATS refused it subscriptions')
process.exitCode = [...failures, ...wrong, ...missing, ...doubled].length === 0 && !wasReadyTooEarly ? 0 : 1
