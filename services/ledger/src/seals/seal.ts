import type { Queryable } from '@causeway/chassis'
import { rootOf } from '@causeway/statement-proof'
import { randomBytes } from 'node:crypto'
import { inMonth, leafHashesOf, leafOf, statesAfter, type AccountState, type SealHeader } from './leaves.ts'
import { monthAfter, monthOf } from './months.ts'
import * as store from './store.ts'

/** Postings of one seal: about 100 ms. */
const WINDOW = 2_000
const NONCE_BYTES = 16

type NewSeal = Readonly<{ header: SealHeader; states: readonly AccountState[] }>

async function append(db: Queryable, { header, states }: NewSeal, now: Date): Promise<void> {
  const nonces = states.map(() => randomBytes(NONCE_BYTES).toString('hex'))
  const leaves = states.map((state, at) => leafOf(state, header.closes, nonces[at] ?? ''))
  const hashes = leafHashesOf(header, leaves)
  const seal = {
    number: header.number,
    month: header.month,
    closes: header.closes,
    first_seq: header.firstSeq,
    last_seq: header.lastSeq,
    size: hashes.length,
    root: rootOf(hashes).toString('hex'),
  }
  const rows = states.map(({ accountId, first, last, opening, closing, lines }, at) => ({
    ...{ place: at + 1, account_id: accountId, first, last, opening, closing, lines },
    nonce: nonces[at],
    hash: hashes[at + 1]?.toString('hex'),
  }))
  await store.appendSeal(db, { seal: JSON.stringify(seal), leaves: JSON.stringify(rows), now })
}

/** The accounts that changed by a window of postings. */
async function statesOf(db: Queryable, { firstSeq, lastSeq, month }: SealHeader): Promise<AccountState[]> {
  const lines = await store.readLines(db, { first: BigInt(firstSeq), last: BigInt(lastSeq) })
  const accountIds = [...new Set(lines.map(({ accountId }) => accountId))].map(BigInt)
  const known = await store.readStates(db, { accountIds })
  return statesAfter(lines, new Map(known.map((state) => [state.accountId, state])), month)
}

/**
 * Appends the next seal: of the month that is over, or of the next postings. Replicas may do so simultaneously: the books
 * append one.
 * @returns false if nothing was there to seal
 */
async function sealNext(db: Queryable, now: Date): Promise<boolean> {
  const last = await store.readLastSeal(db)
  const after = BigInt(last?.lastSeq ?? 0)
  const window = await store.readWindow(db, { after, limit: WINDOW })
  const place = {
    number: (last?.number ?? 0) + 1,
    firstSeq: String(after + 1n),
    previous: last?.root ?? null,
  }
  const open = last && (last.closes ? monthAfter(last.month) : last.month)
  if (open && open < (window?.month ?? monthOf(now))) {
    // By this replica's clock the month is not over, by another's it is.
    if (open >= monthOf(now)) return false
    const states = await store.readClosingStates(db, { month: open })
    const header = { ...place, month: open, closes: true, lastSeq: String(after), postings: '' }
    await append(db, { header, states: states.map((state) => inMonth(state, open)) }, now)
    return true
  }
  if (!window) return false
  const range = { first: after + 1n, last: BigInt(window.lastSeq) }
  const postings = (await store.digestPostings(db, range))?.digest ?? ''
  const header = { ...place, ...window, closes: false, postings }
  await append(db, { header, states: await statesOf(db, header) }, now)
  return true
}

/** Seals everything that is posted, and closes the months that are over, up to a number of seals. */
export const sealPostings = async (db: Queryable, now: Date, most = 1_000): Promise<void> => {
  for (let made = 0; made < most; made += 1) if (!(await sealNext(db, now))) return
}
