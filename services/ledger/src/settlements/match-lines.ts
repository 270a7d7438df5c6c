import {
  newId,
  NotDoneError,
  type Clock,
  type Db,
  type Logger,
  type ServiceClient,
  type Transaction,
} from '@causeway/chassis'
import { ORDERS_PER_REQUEST, settlementReports } from '@causeway/contracts'
import { valueOf } from '../comparison/settle-facts.ts'
import * as differences from '../differences/store.ts'
import { postBatch } from '../posting/post-facts.ts'
import type { ProcessorFees } from './fees.ts'
import * as items from './items-store.ts'
import { amountsOf, judge, type Judged } from './judge.ts'
import * as store from './matching-store.ts'
import { settlementPosting, type Movement, type SettlementPosting } from '../settlement-postings/movements.ts'
import { readReversal } from '../settlement-postings/postings.ts'
import { insertPostings, postingValues } from '../settlement-postings/store.ts'
import { isComplete } from './poll-store.ts'
import { lineMovements, missingMovements, type PostedAmount } from './movements.ts'

/** Orders, and lines without an order, of one transaction. */
const BATCH = 200
/** Postings that are read in one transaction. */
const READ_POSTINGS = 5_000

export type MatchingContext = Readonly<{
  db: Db
  clock: Pick<Clock, 'now'>
  log: Logger
  ask: ServiceClient
  fees: ProcessorFees
  /** Time after which a processor must have a line for an amount of the journal. */
  termMs: number
}>

type Run = Readonly<{
  processor: string
  now: Date
  fees: ProcessorFees
  overdue: Date
  /** When the books had all that payments knew; null: never. */
  comparedAt: Date | null
  /** False while pages of the processor's report are missing: its payouts lack lines. */
  isComplete: boolean
  /** End of the day of the processor's last payout; null: none. */
  closedAt: Date | null
  /** When the processor's reports begin, and until when the lines of the first were imported; null: it has none. */
  beginning: Awaited<ReturnType<typeof store.getBeginning>>
}>

/** Everything that a batch changes; it is written at the end of the transaction. */
type Changes = {
  postings: SettlementPosting[]
  done: string[]
  unmatched: string[]
  doneItems: Pick<store.ItemRow, 'source' | 'kind'>[]
  missingItems: Pick<store.ItemRow, 'source' | 'kind'>[]
  found: Readonly<{ differenceId: string; kind: string; lineId: string | null }>[]
}

const sourceOf = (processor: string): string => `processor:${processor}`

/** The books must have what payments knew when the line was imported: its fact may be on its way. */
const isRipe = ({ importedAt, kind }: store.LineRow, { comparedAt, isComplete }: Run): boolean =>
  comparedAt !== null && comparedAt > importedAt && (isComplete || kind !== 'payout')
const isOverdue = ({ effectiveAt }: store.ItemRow, { overdue, closedAt, beginning }: Run): boolean =>
  effectiveAt <= overdue &&
  closedAt !== null &&
  effectiveAt < closedAt &&
  beginning !== null &&
  effectiveAt >= beginning.beginsAt

/** Returns the amounts of the journal that a line states. */
const itemsOf = ({ item, feeItem }: Judged): store.ItemRow[] =>
  [item, feeItem].filter((each) => each !== null)

const readDifferences = async (tx: Transaction, { processor }: Run, judged: readonly Judged[]) => {
  const lineIds = judged.flatMap(({ line }) => (line?.status === 'unmatched' ? [line.lineId] : []))
  const sources = judged.flatMap(itemsOf).flatMap((item) => (item.status === 'missing' ? [item.source] : []))
  const ofLines = await differences.listOfLines(tx, { source: sourceOf(processor), lineIds })
  const ofItems = await differences.listOfItems(tx, { sources })
  return { ofLines, ofItems }
}
type Open = Awaited<ReturnType<typeof readDifferences>>

const openOf = ({ ofLines, ofItems }: Open, judged: Judged) => [
  ...ofLines.filter(({ lineId }) => lineId === (judged.line?.lineId ?? '')),
  ...ofItems.filter(({ itemSource, itemKind }) =>
    itemsOf(judged).some(({ source, kind }) => source === itemSource && kind === itemKind),
  ),
]

/** Ends differences whose counterpart has come, and takes back what they kept in suspense. */
const endDifferences = async (
  tx: Transaction,
  run: Run,
  open: readonly differences.DifferenceRow[],
  changes: Changes,
): Promise<void> => {
  for (const { differenceId } of open) {
    // Staff closed it a moment ago: the next run compares its counterpart alone.
    if ((await differences.endDifference(tx, { differenceId, now: run.now })) === null)
      throw new NotDoneError(`The difference ${differenceId} was closed meanwhile`)
    const reversal = await readReversal(tx, differenceId, run.now)
    if (reversal !== null) changes.postings.push(reversal)
  }
}

const postingOf = (
  { processor }: Run,
  { item, line }: Judged,
  posting: Readonly<{ source: string; effectiveAt: Date; movements: readonly Movement[] }>,
): SettlementPosting => ({
  ...posting,
  processor,
  orderKey: item?.orderKey ?? line?.orderKey ?? null,
  orderId: item?.orderId ?? null,
})

const insertDifference = async (tx: Transaction, run: Run, judged: Judged, changes: Changes) => {
  const { kind, line, item } = judged
  if (kind === null) return null
  const differenceId = newId('difference')
  const { unit, foundUnit, expected, found } = amountsOf(judged)
  await differences.insertDifference(tx, {
    ...{ differenceId, kind, unit, foundUnit, foundAt: run.now, source: sourceOf(run.processor) },
    ...{ lineId: line?.lineId ?? null, itemSource: item?.source ?? null, itemKind: item?.kind ?? null },
    orderKey: item?.orderKey ?? line?.orderKey ?? null,
    ownerId: item?.ownerId ?? null,
    expected: expected === null ? null : String(expected),
    found: found === null ? null : String(found),
  })
  changes.found.push({ differenceId, kind, lineId: line?.lineId ?? null })
  return differenceId
}

/** True if the open difference of a line says what was found again. */
const isKnown = (open: readonly differences.DifferenceRow[], judged: Judged): boolean => {
  const { expected, found } = amountsOf(judged)
  return open.some(
    (each) =>
      each.kind === judged.kind &&
      each.expected === (expected === null ? null : String(expected)) &&
      each.found === (found === null ? null : String(found)),
  )
}

const postedOf = (item: store.ItemRow, feeItem: store.ItemRow | null): PostedAmount => {
  const { bookedFeeCents: cents, currency } = feeItem ?? item
  return { ownerId: item.ownerId, bookedFee: cents === null ? null : { cents, currency } }
}

/** Adds what one line, or one amount without a line, changes. */
const applyJudged = async (
  tx: Transaction,
  run: Run,
  judged: Judged,
  open: readonly differences.DifferenceRow[],
  changes: Changes,
): Promise<void> => {
  const { kind, line, item, pair } = judged
  if (line === null) {
    if (item?.status !== 'open' || pair.booked === null || !isOverdue(item, run)) return
    const id = await insertDifference(tx, run, judged, changes)
    changes.missingItems.push(item)
    const movements = missingMovements(pair.booked, postedOf(item, null))
    const posting = { source: `difference:${String(id)}`, effectiveAt: run.now, movements }
    changes.postings.push(postingOf(run, judged, posting))
    return
  }
  if (pair.line === null || (kind !== null && (!isRipe(line, run) || isKnown(open, judged)))) return
  await endDifferences(tx, run, open, changes)
  const posted = item === null ? null : postedOf(item, judged.feeItem)
  const movements = lineMovements({ line: pair.line, booked: pair.booked, kind }, posted, judged.payoutSum)
  const id = await insertDifference(tx, run, judged, changes)
  changes.postings.push(
    postingOf(run, judged, {
      // Deterministic: a payout that is judged again has the same posting.
      source: `settlement:${run.processor}:${line.lineId}`,
      effectiveAt: line.importedAt,
      movements: movements.line,
    }),
  )
  if (id !== null)
    changes.postings.push(
      postingOf(run, judged, {
        source: `difference:${id}`,
        effectiveAt: run.now,
        movements: movements.suspense,
      }),
    )
  const mayEnd = kind === 'missing_here' || (kind === 'sum' && line.kind === 'payout')
  changes[mayEnd ? 'unmatched' : 'done'].push(line.lineId)
  changes.doneItems.push(...itemsOf(judged))
}

/** Writes a match and what it posts in one transaction. */
const write = async (tx: Transaction, { processor, now }: Run, changes: Changes): Promise<void> => {
  const postings = changes.postings.filter(({ movements }) => movements.length > 0)
  await insertPostings(tx, postingValues(postings))
  await store.setLineStatus(tx, { processor, lineIds: changes.done, status: 'done' })
  await store.setLineStatus(tx, { processor, lineIds: changes.unmatched, status: 'unmatched' })
  for (const [list, status] of [
    [changes.missingItems, 'missing'],
    [changes.doneItems, 'done'],
  ] as const)
    await store.setItemStatus(tx, {
      sources: list.map(({ source }) => source),
      kinds: list.map(({ kind }) => kind),
      status,
    })
  // Last: it locks the end of the journal.
  await postBatch(tx, { postings: postings.flatMap((each) => settlementPosting(each) ?? []) }, now)
}

/** The first report covers the days of what it settles, which are before those on which it pays out. */
const moveBeginning = async (
  tx: Transaction,
  { processor, beginning }: Run,
  judged: readonly Judged[],
): Promise<void> => {
  const [settledAt] = judged
    .flatMap(({ line, item }) => {
      if (line === null || item === null || beginning === null) return []
      return line.importedAt <= beginning.firstImportedAt ? [item.effectiveAt] : []
    })
    .toSorted((a, b) => a.getTime() - b.getTime())
  if (settledAt !== undefined && beginning !== null && settledAt < beginning.beginsAt)
    await store.moveBeginning(tx, { processor, settledAt })
}

type Batch = Readonly<{ lines: readonly store.LineRow[]; items: readonly store.ItemRow[] }>

const applyBatch = async (tx: Transaction, run: Run, { lines, items: amounts }: Batch) => {
  const payoutRefs = lines.flatMap(({ kind, payoutRef }) =>
    kind === 'payout' && payoutRef !== null ? [payoutRef] : [],
  )
  const sums = await store.listPayoutSums(tx, { processor: run.processor, payoutRefs })
  const judged = judge({ processor: run.processor, fees: run.fees, lines, items: amounts, sums })
  const open = await readDifferences(tx, run, judged)
  const changes: Changes = {
    ...{ postings: [], done: [], unmatched: [], doneItems: [], missingItems: [], found: [] },
  }
  for (const each of judged) await applyJudged(tx, run, each, openOf(open, each), changes)
  await write(tx, run, changes)
  await moveBeginning(tx, run, judged)
  return changes.found
}

type Step = Readonly<{ next: string | null; found: Changes['found'] }>

const matchOrders = async (tx: Transaction, run: Run, after: string): Promise<Step> => {
  const { processor, overdue } = run
  const rows = await store.listOrders(tx, { processor, overdue, after, limit: BATCH })
  const orderKeys = rows.map(({ orderKey }) => orderKey)
  if (orderKeys.length === 0) return { next: null, found: [] }
  const lines = await store.listLines(tx, { processor, orderKeys })
  const amounts = await store.listItems(tx, { processor, orderKeys })
  return { next: orderKeys.at(-1) ?? null, found: await applyBatch(tx, run, { lines, items: amounts }) }
}

const matchOthers = async (tx: Transaction, run: Run, after: string): Promise<Step> => {
  const lines = await store.listOtherLines(tx, { processor: run.processor, after, limit: BATCH })
  if (lines.length === 0) return { next: null, found: [] }
  return { next: lines.at(-1)?.lineId ?? null, found: await applyBatch(tx, run, { lines, items: [] }) }
}

/** Asks payments for the orders of the payments that new lines name. */
const lookUpOrders = async ({ db, ask }: MatchingContext, processor: string): Promise<void> => {
  await store.knowOthers(db, { processor })
  for (;;) {
    const rows = await store.listNewOrders(db, { processor, limit: ORDERS_PER_REQUEST })
    if (rows.length === 0) return
    const ids = rows.map(({ processorOrderId }) => processorOrderId)
    const request = { processor, processor_order_ids: ids }
    const { orders } = valueOf('payments', await ask(settlementReports.findOrders, request))
    const keys = new Map(orders.map((order) => [order.processor_order_id, order.order_key]))
    const found = ids.map((id) => ({ processorOrderId: id, orderKey: keys.get(id) ?? null }))
    await store.saveOrders(db, { ...store.foundValues(found), processor })
  }
}

/** Reads the amounts that processors must settle from the postings since the last run. */
const readJournal = async (db: Db): Promise<void> => {
  for (let isLast = false; !isLast;)
    isLast = await db.transaction(async (tx) => {
      const { seq, head } = (await items.lockProgress(tx)) ?? { seq: 0, head: 0 }
      const through = Math.min(head, seq + READ_POSTINGS)
      await items.readItems(tx, { after: seq, through })
      await items.saveProgress(tx, { seq: through })
      return through === head
    })
}

/**
 * Matches the lines of each processor with the journal (decisions §51, ADR 0088). What is matched is posted in the same
 * transaction, once; what is not becomes a difference, which ends automatically if its counterpart comes later.
 * @throws NotDoneError when payments is unavailable: the next run continues
 */
export const matchLines = async (context: MatchingContext): Promise<void> => {
  const { db, clock, log, fees, termMs } = context
  await readJournal(db)
  for (const { processor } of await store.listProcessors(db)) {
    await lookUpOrders(context, processor)
    for (const match of [matchOrders, matchOthers])
      for (let after: string | null = ''; after !== null;) {
        const from: string = after
        const { next, found }: Step = await db.transaction(async (tx) => {
          await items.lockProgress(tx)
          const now = clock.now()
          const run: Run = {
            ...{ processor, now, fees, overdue: new Date(now.getTime() - termMs) },
            comparedAt: (await store.getComparedAt(tx))?.comparedAt ?? null,
            isComplete: (await isComplete(tx, { processor }))?.complete === true,
            closedAt: (await store.getLastPayout(tx, { processor }))?.endedAt ?? null,
            beginning: await store.getBeginning(tx, { processor }),
          }
          return match(tx, run, from)
        })
        for (const each of found)
          log.warn(
            { event: 'ledger.difference_found', processor, ...each },
            'A settlement report and the books differ',
          )
        after = next
      }
  }
}
