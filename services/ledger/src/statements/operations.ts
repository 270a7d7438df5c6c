import {
  implement,
  keysetList,
  NotDoneError,
  refuse,
  reply,
  type Cursors,
  type Db,
  type Implementation,
} from '@causeway/chassis'
import { statements } from '@causeway/contracts'
import { monthAfter, monthOf } from '../seals/months.ts'
import { sealPostings } from '../seals/seal.ts'
import { getClosingSeal, readLastSeal, readLinesOfAccounts } from '../seals/store.ts'
import { createSealTrees, type SealTree } from '../seals/trees.ts'
import { BY_LINE, isOfMonth, partsOf } from './pages.ts'
import { statementOf } from './statement.ts'
import { listLeaves, listPartnerLeaves, type Leaf } from './store.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
/** Seals that a request makes at most: usually the last postings of a month and its end. */
const MAX_SEALS = 20

/** The month that the next seal belongs to. */
const openMonthOf = ({ month, closes }: Readonly<{ month: string; closes: boolean }>): string =>
  closes ? monthAfter(month) : month

/**
 * The last seal that a month's statement covers: the one that closes it or, while the month lasts, the newest one. What is
 * missing is sealed first, so that the statement of a month that is over never changes.
 * @returns 0 for a month before the first seal
 * @throws NotDoneError while earlier postings wait to be sealed
 */
const lastSealOf = async (db: Db, month: string, now: Date): Promise<number> => {
  const needed = month < monthOf(now) ? monthAfter(month) : month
  let last = await readLastSeal(db)
  if (last === null || openMonthOf(last) < needed) {
    await sealPostings(db.pooled, now, MAX_SEALS)
    last = await readLastSeal(db)
  }
  if (last === null) return 0
  const open = openMonthOf(last)
  if (open < needed) throw new NotDoneError(`The seals of ${open} are not made yet`)
  return open === month ? last.number : ((await getClosingSeal(db, { month }))?.number ?? 0)
}

const refuseMonth = (now: Date) =>
  refuse('invalid_request', [
    { field: 'month', reason: 'invalid_value', expected: `a month such as ${monthOf(now)}, not a later one` },
  ])

type Wanted = Readonly<{
  /** Whose statement it is. */
  ownerId: string
  leavesAfter: (seal: bigint) => Promise<Leaf[]>
  month: string
  limit: number
  cursor: string | null
  now: Date
}>

/** `ledger.statements` (decisions §48). */
export const statementOperations = (db: Db, cursors: Cursors): Implementation[] => {
  const readTree = createSealTrees(db.pooled)

  /** Reads a page of a month, or returns why it cannot. */
  const readPage = async ({ ownerId, leavesAfter, month, limit, cursor, now }: Wanted) => {
    if (!MONTH.test(month) || month > monthOf(now)) return refuseMonth(now)
    const list = keysetList(cursors, { name: `statement:${ownerId}:${month}`, order: BY_LINE })
    const from = list.after(cursor)
    if (from === null) return refuse('invalid_cursor')
    const seal = from === 'start' ? String(await lastSealOf(db, month, now)) : from.seal
    const leaves = (await leavesAfter(BigInt(seal))).filter(isOfMonth(month))
    const { parts, next } = partsOf(leaves, { month, limit, from })
    const lines = await readLinesOfAccounts(db, {
      accountIds: parts.map(({ leaf }) => BigInt(leaf.accountId)),
      firsts: parts.map(({ first }) => first),
      lasts: parts.map(({ last }) => last),
    })
    const trees = new Map<number, SealTree>()
    for (const { leaf } of parts) trees.set(leaf.seal, await readTree(leaf.seal))
    const statement = statementOf({ month, leaves, parts, lines, trees })
    return { ok: true, statement, nextCursor: list.cursorAfter(next && { seal, ...next }) } as const
  }

  return implement(statements, {
    async get({ caller: { merchantId }, params, query, now }) {
      const leavesAfter = (seal: bigint) => listLeaves(db, { merchantId, seal })
      const page = await readPage({ ownerId: merchantId, leavesAfter, ...params, ...query, now })
      if (!page.ok) return page
      const { statement, nextCursor } = page
      return reply({ statement, nextCursor })
    },

    async getOfPartner({ caller: { partnerId }, params, query, now }) {
      const leavesAfter = (seal: bigint) => listPartnerLeaves(db, { partnerId, seal })
      const page = await readPage({ ownerId: partnerId, leavesAfter, ...params, ...query, now })
      if (!page.ok) return page
      const { statement, nextCursor } = page
      return reply({ statement, next_cursor: nextCursor })
    },
  })
}
