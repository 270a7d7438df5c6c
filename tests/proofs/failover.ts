/**
 * `pnpm prove:failover [--rounds N] [--seed S] [--freeze]`: on a separate cluster, kills PostgreSQL's primary again and
 * again (`--freeze`: stops it by SIGSTOP) while orders are created, each time at a random moment after the standby has
 * caught up. Prints how long no write was taken, and at the end what was lost. The exit code is 1 where something was, or
 * where a failover took 10 s.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { eventually } from '@causeway/chassis/testing'
import { childrenOf } from '../../bench/measure/proc.ts'
import { spreadOf } from '../../bench/measure/statistics.ts'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import type { DatabasePair } from '@causeway/dev-env/platform/cluster/database-pair'
import { findLosses, type Losses } from '../journeys/losses.ts'
import { startOrderLoad } from '../journeys/order-load.ts'
import { newCustomer, newPartner, registerReceiver, startTestPlatform } from '../journeys/platform.ts'
import { createRandom, wholeNumber } from './arguments.ts'

const WORKERS = 4
/** About 100 orders a second: a load that two cores carry in addition to the copies of a database. */
const PAUSE_MS = 30
const LATEST_KILL_MS = 1_500
const BOUND_MS = 10_000

const shownSpread = (valuesMs: readonly number[]): string => {
  const { median, low, high } = spreadOf(valuesMs)
  return `median ${median.toFixed(0)} ms, least ${low.toFixed(0)}, greatest ${high.toFixed(0)}`
}

type Load = ReturnType<typeof startOrderLoad>

type Fault = 'SIGKILL' | 'SIGSTOP'

/**
 * Kills or freezes the primary with all of its processes simultaneously, as the death of its machine would: those that serve a
 * connection otherwise outlive it for a moment.
 *
 * @returns milliseconds until an order was taken that was sent after the fault
 */
const failOver = async (database: DatabasePair, load: Load, fault: Fault): Promise<number> => {
  const primary = database.primary()
  const children = childrenOf(primary.pid ?? 0)
  const before = load.orders.length
  primary.kill(fault)
  for (const pid of children) signalIfRunning(pid, fault)
  const killedAtMs = performance.now()
  const first = await eventually(() =>
    load.orders.slice(before).find(({ sentAtMs }) => sentAtMs > killedAtMs),
  )
  return first.answeredAtMs - killedAtMs
}

const signalIfRunning = (pid: number, signal: Fault): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The longest that an order took, with all its repetitions, of those begun since. */
const longestWaitMs = ({ orders }: Load, since: number): number =>
  Math.max(...orders.slice(since).map(({ firstSentAtMs, answeredAtMs }) => answeredAtMs - firstSentAtMs))

/** Stops the load at its end. */
const failOverOften = async (
  database: DatabasePair,
  load: Load,
  { rounds, random, fault }: Readonly<{ rounds: number; random: () => number; fault: Fault }>,
) => {
  const writableMs: number[] = []
  const waitsMs: number[] = []
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await database.whenSynchronous()
      await delay(random() * LATEST_KILL_MS)
      const before = load.orders.length
      const ms = await failOver(database, load, fault)
      // Every caller has its answer before the next fault.
      await eventually(() => load.orders.length >= before + 3 * WORKERS)
      writableMs.push(ms)
      waitsMs.push(longestWaitMs(load, before))
      console.log(
        `${round}: writable after ${ms.toFixed(0)} ms, the longest wait of a caller ${waitsMs.at(-1)?.toFixed(0)} ms`,
      )
    }
  } finally {
    await load.stop()
  }
  return { writableMs, waitsMs }
}

const faultsOf = (losses: Losses): string[] =>
  Object.entries(losses).flatMap(([kind, found]) =>
    found.length === 0 ? [] : [`${kind}: ${found.slice(0, 10).join(', ')} (${found.length})`],
  )

const prove = async (rounds: number, seed: number, fault: Fault): Promise<string[]> => {
  const platform = await startTestPlatform(
    { TIMEOUT_FACTOR: '1', ACCESS_TOKEN_TTL: '12h' },
    { isCluster: true },
  )
  const receiver = await startReceiver()
  try {
    if (platform.cluster === null) throw new Error('The platform is no cluster')
    const partner = await newPartner(platform)
    await registerReceiver(platform, partner.partnerId, receiver)
    const { path: customer } = await newCustomer(platform, partner.causeway)
    const load = startOrderLoad(partner.api, customer, WORKERS, { pauseMs: PAUSE_MS })
    const { writableMs, waitsMs } = await failOverOften(platform.cluster.database, load, {
      rounds,
      random: createRandom(seed),
      fault,
    })
    const losses = await findLosses({ baseUrl: platform.baseUrl, api: partner.api, customer, load, receiver })
    const statuses = [...load.statuses].sort().map(([status, count]) => `${status}: ${count}`)
    console.log(
      `${rounds} failovers, ${load.orders.length} orders acknowledged; answers ${statuses.join(', ')}`,
    )
    console.log(`writable again: ${shownSpread(writableMs)}`)
    console.log(`longest wait of a caller: ${shownSpread(waitsMs)}`)
    const slow = writableMs.filter((ms) => ms >= BOUND_MS).length
    return [...faultsOf(losses), ...(slow === 0 ? [] : [`${slow} failovers took ${BOUND_MS} ms or longer`])]
  } finally {
    await platform.stop()
    await receiver.stop()
  }
}

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, seed: { type: 'string' }, freeze: { type: 'boolean' } },
})
const seed = wholeNumber('--seed', values.seed) ?? randomInt(2 ** 31)
console.log(`seed ${seed}`)
const faults = await prove(
  wholeNumber('--rounds', values.rounds) ?? 50,
  seed,
  values.freeze === true ? 'SIGSTOP' : 'SIGKILL',
)
for (const fault of faults) console.error(fault)
console.log(
  faults.length === 0
    ? 'nothing lost, nothing doubled, every event delivered'
    : `repeat it with --seed ${seed}`,
)
process.exitCode = faults.length === 0 ? 0 : 1
