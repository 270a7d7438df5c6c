import type { ServiceContext } from '@causeway/chassis'
import type { ErasedOfPayer, RemainingOfPayer } from '@causeway/contracts'
import { erasePayerFingerprints, type ErasedFingerprints } from './fingerprint-erasure.ts'
import { monthEnds } from './key-month.ts'
import { searchPayer, type Match, type Position, type SearchedPayer } from './search.ts'
import * as store from './store.ts'

type What = ErasedOfPayer['what']
const FINGERPRINTED = ['chargebacks', 'chargeback_cases', 'risk_alerts'] as const
const ORDERS = ['crypto_order', 'card_order'] as const

const WHY = {
  chargeback_cases:
    'An active chargeback case blocks this payer by a keyed hash until its partner lifts the block. Then erase the payer again.',
  webhook_events:
    'Merchants were notified of the dispute with the IP address. The webhooks service keeps that event, sealed, for WEBHOOK_EVENT_RETENTION.',
  backups: 'Earlier backups contain the sealed values until the key of their month is destroyed.',
} as const satisfies Record<RemainingOfPayer['what'], string>

/** Sums what one call has erased over its batches. */
const createTally = (retentionMs: number) => {
  const counts = new Map<What, number>()
  const subjects = new Set<string>()
  let isBlocked = false
  let wasDisputed = false
  /** The newest key is deleted last. Values without a monthly key end only with the key ring. */
  const backupsUntil = (): string | null => {
    const newest = [...subjects].sort().at(-1) ?? ''
    return subjects.has('') ? null : (monthEnds(newest, retentionMs)?.toISOString() ?? null)
  }
  const count = (what: What, more: number) => counts.set(what, (counts.get(what) ?? 0) + more)
  return {
    count,
    addSubjects(matches: readonly Match[]) {
      for (const { subject } of matches) subjects.add(subject)
    },
    addFingerprints(more: ErasedFingerprints) {
      for (const what of FINGERPRINTED) count(what, more.erased[what])
      isBlocked ||= more.isBlocked
      wasDisputed ||= more.wasDisputed
    },
    report() {
      const remaining: RemainingOfPayer[] = []
      const add = (what: RemainingOfPayer['what'], until: string | null) =>
        remaining.push({ what, why: WHY[what], until })
      if (isBlocked) add('chargeback_cases', null)
      if (wasDisputed) add('webhook_events', null)
      if (subjects.size > 0) add('backups', backupsUntil())
      const erased = [...counts].filter(([, count]) => count > 0).map(([what, count]) => ({ what, count }))
      return { erased, remaining }
    },
  }
}
type Tally = ReturnType<typeof createTally>

/** Erases one payer: its orders keep their amounts and statuses, and never store a payer again. */
export const createPayerErasure = (context: Pick<ServiceContext, 'db' | 'vault'>, retentionMs: number) => {
  const { db } = context

  /** Erases the payer of orders of one kind, with its fingerprints; crypto orders have no disputes. */
  const eraseBatch = async (
    payer: SearchedPayer,
    kind: Match['kind'],
    matches: readonly Match[],
    tally: Tally,
  ) => {
    const orderIds = matches.map(({ id }) => id)
    if (kind === 'crypto_order')
      tally.count('crypto_orders', (await store.eraseCryptoOrders(db, { orderIds })).length)
    else {
      const erased = await db.transaction(async (tx) => {
        const orders = await store.eraseCardOrders(tx, { orderIds })
        return { orders: orders.length, fingerprints: await erasePayerFingerprints(tx, orderIds, payer) }
      })
      tally.count('card_orders', erased.orders)
      tally.addFingerprints(erased.fingerprints)
    }
    tally.addSubjects(matches)
  }

  /** Scans at most `limit` orders from a position on. Each batch commits separately: a failed call can be repeated. */
  return async (payer: SearchedPayer, from: Position, limit: number) => {
    const tally = createTally(retentionMs)
    let next = from
    const search = searchPayer(context, payer, { from, kinds: ORDERS, limit })
    for (;;) {
      const step = await search.next()
      if (step.done) {
        if (!step.value) return { ...tally.report(), next }
        tally.addFingerprints(await db.transaction((tx) => erasePayerFingerprints(tx, [], payer)))
        return { ...tally.report(), next: null }
      }
      const matches = step.value.rows.flatMap((row) => row.match ?? [])
      const [first] = matches
      if (first) await eraseBatch(payer, first.kind, matches, tally)
      next = step.value.rows.at(-1)?.position ?? next
    }
  }
}
