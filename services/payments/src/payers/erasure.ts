import type { ServiceContext } from '@causeway/chassis'
import type { ErasedOfPayer, RemainingOfPayer } from '@causeway/contracts'
import { monthEnds } from './key-month.ts'
import * as store from './store.ts'
import { erasePayerMarks, type ErasedMarks } from './fingerprint-erasure.ts'
import { walkPayer, type Found, type Position, type Wanted } from './search.ts'

type What = ErasedOfPayer['what']
const MARKS = ['chargebacks', 'chargeback_cases', 'risk_alerts'] as const
const ORDERS = ['crypto_order', 'card_order'] as const

const WHY = {
  chargeback_cases:
    'An active chargeback case blocks this payer by a keyed hash, until its partner lifts it. Erase again then.',
  webhook_events:
    'Merchants were told of the dispute with the IP address. Webhooks keeps that event, sealed, for WEBHOOK_EVENT_RETENTION.',
  backups: 'Backups from before hold the sealed values, until the key of their month is destroyed.',
} as const satisfies Record<RemainingOfPayer['what'], string>

/** What one call has done, batch by batch. */
const createTally = (retentionMs: number) => {
  const counts = new Map<What, number>()
  const subjects = new Set<string>()
  let isBlocking = false
  let wasDisputed = false
  /** The newest key goes last. Values of before the keys of months end with their ring: nobody knows when. */
  const backupsUntil = (): string | null => {
    const newest = [...subjects].sort().at(-1) ?? ''
    return subjects.has('') ? null : (monthEnds(newest, retentionMs)?.toISOString() ?? null)
  }
  const count = (what: What, more: number) => counts.set(what, (counts.get(what) ?? 0) + more)
  return {
    count,
    sealedBy(found: readonly Found[]) {
      for (const { subject } of found) subjects.add(subject)
    },
    saw({ erased, ...seen }: ErasedMarks) {
      for (const what of MARKS) count(what, erased[what])
      isBlocking ||= seen.isBlocking
      wasDisputed ||= seen.wasDisputed
    },
    report() {
      const remaining: RemainingOfPayer[] = []
      const add = (what: RemainingOfPayer['what'], until: string | null) =>
        remaining.push({ what, why: WHY[what], until })
      if (isBlocking) add('chargeback_cases', null)
      if (wasDisputed) add('webhook_events', null)
      if (subjects.size > 0) add('backups', backupsUntil())
      const erased = [...counts].filter(([, count]) => count > 0).map(([what, count]) => ({ what, count }))
      return { erased, remaining }
    },
  }
}
type Tally = ReturnType<typeof createTally>

/** Erases one payer: its orders stay with all that is about money, and never learn a payer again. */
export const createPayerErasure = (context: Pick<ServiceContext, 'db' | 'vault'>, retentionMs: number) => {
  const { db } = context

  /** Orders of one kind, with what recognises their payer; crypto orders have no disputes. */
  const eraseBatch = async (wanted: Wanted, kind: Found['kind'], found: readonly Found[], tally: Tally) => {
    const ids = found.map(({ id }) => id)
    if (kind === 'crypto_order')
      tally.count('crypto_orders', (await db.query(store.eraseCryptoOrders, [ids])).length)
    else {
      const done = await db.transaction(async (tx) => {
        const orders = await tx.query(store.eraseCardOrders, [ids])
        return { orders: orders.length, marks: await erasePayerMarks(tx, ids, wanted) }
      })
      tally.count('card_orders', done.orders)
      tally.saw(done.marks)
    }
    tally.sealedBy(found)
  }

  /** Looks at `most` orders from a position on. Each batch commits by itself: a call that breaks off is done again. */
  return async (wanted: Wanted, from: Position, most: number) => {
    const tally = createTally(retentionMs)
    let next = from
    const walk = walkPayer(context, wanted, { from, kinds: ORDERS, most })
    for (;;) {
      const step = await walk.next()
      if (step.done) {
        if (!step.value) return { ...tally.report(), next }
        tally.saw(await db.transaction((tx) => erasePayerMarks(tx, [], wanted)))
        return { ...tally.report(), next: null }
      }
      const found = step.value.rows.flatMap((row) => row.found ?? [])
      const [first] = found
      if (first) await eraseBatch(wanted, first.kind, found, tally)
      next = step.value.rows.at(-1)?.at ?? next
    }
  }
}
