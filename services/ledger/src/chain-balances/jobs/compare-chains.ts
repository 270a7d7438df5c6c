import {
  metrics,
  NotDoneError,
  startLoop,
  type Clock,
  type Db,
  type Logger,
  type Loop,
  type ServiceClient,
} from '@causeway/chassis'
import { chainHoldings, SHORT_ORDERS_NAMED, type Asset, type Network } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import { valueOf } from '../../comparison/settle-facts.ts'
import type { z } from 'zod'
import { recordReading } from '../record-reading.ts'
import * as store from '../store.ts'

const LOOK_EVERY_MS = 5_000
/** A question to the nodes has as long. */
const PAGE_TIMEOUT_MS = 4_000
/** Longer than a page takes. */
const CLAIM_MS = 120_000
const RETRY_MS = 60_000

const comparedAge = metrics.gauge(
  'causeway_ledger_chain_compared_age_seconds',
  'Age of the oldest last comparison of deposit addresses with the nodes, over all assets; 0 if nothing is compared',
)
const short = metrics.gauge(
  'causeway_ledger_chain_balances_short',
  'Assets of which deposit addresses hold less than they should',
)

/** `everyMs`: pause between two readings of an asset. */
export type ChainComparison = Readonly<{
  db: Db
  clock: Pick<Clock, 'now' | 'nowMs'>
  log: Logger
  ask: ServiceClient
  everyMs: number
}>
type Unit = Readonly<{ network: Network; asset: Asset }>
const columnsOf = (units: readonly Unit[]) => ({
  networks: units.map(({ network }) => network),
  assets: units.map(({ asset }) => asset),
})

type Page = z.output<(typeof chainHoldings.compare)['reply']>

const readPage = async ({ ask }: ChainComparison, unit: Unit, after: string | null): Promise<Page> => {
  const answer = await ask(chainHoldings.compare, { ...unit, after }, { timeoutMs: PAGE_TIMEOUT_MS })
  return valueOf('payments', answer)
}

/** Reads all addresses of a unit, page by page, and extends the claim with each. */
const readUnit = async (context: ChainComparison, unit: Unit, claimed: Date, signal: AbortSignal) => {
  const { db, clock, everyMs } = context
  let until = claimed
  let missing = 0n
  const shortOrders: string[] = []
  try {
    for (let after: string | null = null; ;) {
      signal.throwIfAborted()
      const page = await readPage(context, unit, after)
      missing += toUnits(page.missing, ASSET_DECIMALS[unit.asset])
      shortOrders.push(...page.short_orders)
      if (page.next === null) break
      after = page.next
      const dueAt = new Date(clock.nowMs() + CLAIM_MS)
      if ((await store.moveClaim(db, { ...unit, until, dueAt })) === null)
        throw new NotDoneError(`Another replica reads the addresses of ${unit.network}`)
      until = dueAt
    }
  } catch (error) {
    await store.moveClaim(db, {
      ...{ ...unit, until },
      dueAt: new Date(clock.nowMs() + Math.min(RETRY_MS, everyMs)),
    })
    throw error
  }
  const orders = shortOrders.slice(0, SHORT_ORDERS_NAMED)
  await recordReading(context, { ...unit, missing, shortOrders: orders, until }, clock.now())
}

const updateGauges = async ({ db, clock }: ChainComparison, units: readonly Unit[]): Promise<void> => {
  const state = await store.getState(db.pooled, columnsOf(units))
  const readAt = state?.readAt ?? null
  comparedAge.set(readAt === null ? 0 : Math.max(0, clock.nowMs() - readAt.getTime()) / 1_000)
  short.set(state?.open ?? 0)
}

/** Compares what deposit addresses hold with what they should, each asset in one replica at a time (decisions §51). */
export const startChainComparison = (context: ChainComparison): Loop => {
  const { db, clock, log, ask, everyMs } = context
  let units: readonly Unit[] = []
  let listAtMs = 0
  return startLoop({
    name: 'compare-chain-balances',
    everyMs: Math.min(LOOK_EVERY_MS, everyMs),
    restMs: 0,
    log,
    async run(signal) {
      if (clock.nowMs() >= listAtMs) {
        units = valueOf('payments', await ask(chainHoldings.list, undefined)).units
        listAtMs = clock.nowMs() + everyMs
        await store.addReadings(db, { ...columnsOf(units), now: clock.now() })
      }
      const now = clock.now()
      const until = new Date(now.getTime() + CLAIM_MS)
      const due = await store.claimReadings(db, { ...columnsOf(units), now, until })
      const ends: PromiseSettledResult<void>[] = []
      // One after another: the nodes are shared with the reader of blocks.
      for (const unit of due)
        ends.push(...(await Promise.allSettled([readUnit(context, unit, until, signal)])))
      await updateGauges(context, units)
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
  })
}
