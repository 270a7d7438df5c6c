import { newId, type Db, type Logger, type Transaction } from '@causeway/chassis'
import * as differences from '../differences/store.ts'
import { MAIN_BANK } from '../posting/accounts.ts'
import { postBatch } from '../posting/post-facts.ts'
import { settlementPosting, type Movement, type SettlementPosting } from '../settlement-postings/movements.ts'
import { readReversal } from '../settlement-postings/postings.ts'
import { insertPostings, postingValues } from '../settlement-postings/store.ts'
import * as store from './store.ts'

/** Lines of one transaction, which locks the end of the journal. */
const BATCH = 200
/** Time within which the bank must have a processor's payout. The alert `PayoutsInTransit` has the same. */
const IN_TRANSIT_TERM_MS = 5 * 86_400_000

const SOURCE = MAIN_BANK.name

/** An amount that only the bank, or only the books have, signed as the bank states it. */
type Missing = Readonly<{
  kind: 'missing_here' | 'missing_there'
  processor: string
  lineId: string
  itemSource: string | null
  amount: string
  currency: string
}>

/** The payout in the books: the source of its posting. */
const itemOf = ({ processor, lineId }: Readonly<{ processor: string; lineId: string }>): string =>
  `settlement:${processor}:${lineId}`

/** Moves an amount into the account that has it, or from the one that has not received it; its counterpart is in suspense. */
const movementOf = ({ kind, amount, currency }: Missing): Movement => {
  const cents = kind === 'missing_here' ? BigInt(amount) : -BigInt(amount)
  const place = kind === 'missing_here' ? 'bank' : 'in_transit'
  const sides: Pick<Movement, 'debit' | 'credit'> =
    cents > 0n ? { debit: place, credit: 'suspense' } : { debit: 'suspense', credit: place }
  return { ...sides, unit: currency, amount: cents < 0n ? -cents : cents, ownerId: null, kind: null }
}

/** Posts what matching with the bank moves, once. */
export const postMovements = async (
  tx: Transaction,
  postings: readonly SettlementPosting[],
  now: Date,
): Promise<void> => {
  if (postings.length === 0) return
  await insertPostings(tx, postingValues(postings))
  await postBatch(tx, { postings: postings.flatMap((each) => settlementPosting(each) ?? []) }, now)
}

const insertMissing = async (tx: Transaction, found: readonly Missing[], now: Date): Promise<void> => {
  const rows = found.map((each) => ({ ...each, differenceId: newId('difference'), unit: each.currency }))
  await differences.insertMissing(tx, { ...differences.missingValues(rows), source: SOURCE, now })
  const postings = rows.map((each): SettlementPosting => ({
    ...{ source: `difference:${each.differenceId}`, processor: each.processor, effectiveAt: now },
    ...{ orderKey: null, orderId: null, movements: [movementOf(each)] },
  }))
  await postMovements(tx, postings, now)
}

const listMissing = async (tx: Transaction, now: Date): Promise<Missing[]> => {
  const lines = await store.takeUnmatched(tx, { limit: BATCH })
  const dueBefore = new Date(now.getTime() - IN_TRANSIT_TERM_MS)
  const payouts = await store.takeOverdue(tx, { dueBefore, limit: BATCH })
  return [
    ...lines.map((line) => ({ ...line, kind: 'missing_here' as const, processor: '', itemSource: null })),
    ...payouts.map((payout) => ({
      ...{ ...payout, kind: 'missing_there' as const, itemSource: itemOf(payout) },
      lineId: `${payout.processor}:${payout.lineId}`,
    })),
  ]
}

/**
 * Finds lines of the bank without a counterpart, and processors' payouts that the bank has not received within their term
 * (decisions §51). Each becomes a difference, and its amount is in suspense until the difference ends.
 * @returns whether there may be more
 */
export const findBankDifferences = async (
  { db, log }: Readonly<{ db: Db; log: Logger }>,
  now: Date,
): Promise<boolean> => {
  const found = await db.transaction(async (tx) => {
    const missing = await listMissing(tx, now)
    if (missing.length > 0) await insertMissing(tx, missing, now)
    return missing
  })
  for (const { kind, lineId } of found)
    log.warn(
      { event: 'ledger.difference_found', source: SOURCE, kind, lineId },
      'A statement of the bank and the books differ',
    )
  return found.length > 0
}

type Locked = Awaited<ReturnType<typeof differences.lockOpen>>

/** Open differences of a line and of the payout that it may pay, locked until the transaction ends. */
export type OpenDifferences = Readonly<{ line: Locked; payout: Locked }>

/**
 * Locks a line of the bank with its open differences.
 * @param payout the processor's payout that the line may be
 * @returns null for a line that was matched or closed, or whose difference was found a moment ago
 */
export const lockBankLine = async (
  tx: Transaction,
  lineId: string,
  payout: Readonly<{ processor: string; lineId: string }> | null,
): Promise<OpenDifferences | null> => {
  // Before the line: closing a difference locks it first, too.
  const itemSource = payout === null ? null : itemOf(payout)
  const open = Map.groupBy(
    await differences.lockOpen(tx, { source: SOURCE, lineId, itemSource }),
    ({ kind }) => kind,
  )
  const line = open.get('missing_here') ?? []
  const locked = await store.lockLine(tx, { lineId })
  if (locked === null || (locked.status === 'unmatched') !== line.length > 0) return null
  return { line, payout: open.get('missing_there') ?? [] }
}

/** Ends locked differences whose counterpart has come. @returns what takes their postings back */
export const endDifferences = async (
  tx: Transaction,
  { line, payout }: OpenDifferences,
  now: Date,
): Promise<SettlementPosting[]> => {
  const reversals: SettlementPosting[] = []
  for (const { differenceId } of [...line, ...payout]) {
    if ((await differences.endDifference(tx, { differenceId, now })) === null)
      throw new Error(`The difference ${differenceId} is open and locked, and was not ended`)
    const reversal = await readReversal(tx, differenceId, now)
    if (reversal !== null) reversals.push(reversal)
  }
  return reversals
}
