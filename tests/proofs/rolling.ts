/**
 * `pnpm prove:rolling [--restarts N] [--seconds N]`: restarts every service again and again, one replica after the other,
 * while valid requests are made at a steady rate, and compares with the same load without restarts before and after. The
 * exit code is 1 where a request failed, or where p99 more than doubled.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { REQUIRED_SERVICES } from '@causeway/contracts'
import { quantile } from '../../bench/measure/statistics.ts'
import { newCustomer, newPartner, startTestPlatform, type TestPlatform } from '../journeys/platform.ts'
import { startSteadyLoad, type SteadyLoad } from '../journeys/steady-load.ts'
import { wholeNumber } from './arguments.ts'

/** A load that two cores carry while a process starts. */
const PER_SECOND = 40
const P99_RATIO = 2

type Figures = Readonly<{ requests: number; failed: readonly string[]; p50Ms: number; p99Ms: number }>

const during = async (load: SteadyLoad, work: () => Promise<unknown>): Promise<Figures> => {
  const before = load.answers.length
  await work()
  const answers = load.answers.slice(before)
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  const failed = answers.filter(({ isRight }) => !isRight)
  return {
    requests: answers.length,
    failed: failed.map(({ status, request }) => `${request}: ${status}`),
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}

/** A replica of each service in turn: a new one is ready before the old one is asked to stop. */
const restartAll = async (platform: TestPlatform, restarts: number): Promise<void> => {
  const running = new Map(REQUIRED_SERVICES.map((name) => [name, platform.processes[name]]))
  for (let restart = 0; restart < restarts; restart += 1) {
    const name = REQUIRED_SERVICES[restart % REQUIRED_SERVICES.length] ?? REQUIRED_SERVICES[0]
    const next = await platform.startReplica(name, {})
    await running.get(name)?.stop()
    running.set(name, next)
    if ((restart + 1) % 20 === 0) console.log(`${restart + 1} restarts`)
  }
}

const shown = ({ requests, failed, p50Ms, p99Ms }: Figures): string =>
  `${requests} requests, ${failed.length} failed, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`

const prove = async (restarts: number, quietMs: number): Promise<boolean> => {
  const platform = await startTestPlatform({ TIMEOUT_FACTOR: '1', ACCESS_TOKEN_TTL: '12h' })
  try {
    const partner = await newPartner(platform)
    const { path: customer } = await newCustomer(platform, partner.causeway)
    const load = startSteadyLoad(partner.api, customer, PER_SECOND)
    const quietly = () => during(load, () => delay(quietMs))
    await quietly()
    const before = await quietly()
    const restarted = await during(load, () => restartAll(platform, restarts))
    const after = await quietly()
    await load.stop()
    console.log(`without restarts, before: ${shown(before)}`)
    console.log(`${restarts} restarts: ${shown(restarted)}`)
    console.log(`without restarts, after: ${shown(after)}`)
    const ratio = restarted.p99Ms / Math.max(before.p99Ms, after.p99Ms)
    console.log(`p99 ${ratio.toFixed(2)} of the same load without restarts (aim at most ${P99_RATIO})`)
    const failed = [before, restarted, after].flatMap((figures) => figures.failed)
    for (const each of new Set(failed)) console.error(each)
    return failed.length === 0 && ratio <= P99_RATIO
  } finally {
    await platform.stop()
  }
}

const { values } = parseArgs({ options: { restarts: { type: 'string' }, seconds: { type: 'string' } } })
const isProven = await prove(
  wholeNumber('--restarts', values.restarts) ?? 200,
  1_000 * (wholeNumber('--seconds', values.seconds) ?? 60),
)
process.exitCode = isProven ? 0 : 1
