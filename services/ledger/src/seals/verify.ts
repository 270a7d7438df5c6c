import type { Queryable } from '@causeway/chassis'
import { rootOf } from '@causeway/statement-proof'
import { inMonth, leafHashesOf, leafOf, statesAfter, type AccountState } from './leaves.ts'
import * as store from './store.ts'
import { readHeader, type Seal } from './trees.ts'

const PAGE = 100

/** The accounts of a seal as the books have them now. */
async function statesOf(
  db: Queryable,
  { month, closes, firstSeq, lastSeq }: Seal,
  accounts: ReadonlyMap<string, AccountState>,
): Promise<AccountState[]> {
  if (!closes)
    return statesAfter(
      await store.readLines(db, { first: BigInt(firstSeq), last: BigInt(lastSeq) }),
      accounts,
      month,
    )
  return [...accounts.values()]
    .filter((state) => state.month === month || state.closing !== '0')
    .sort((a, b) => Number(BigInt(a.accountId) - BigInt(b.accountId)))
    .map((state) => inMonth(state, month))
}

/** Compares one seal with the books. Returns its faults, each as one line. */
async function verifySeal(
  db: Queryable,
  seal: Seal,
  { accounts, previous }: Readonly<{ accounts: Map<string, AccountState>; previous: Seal | null }>,
): Promise<string[]> {
  const name = `seal ${seal.number}`
  const states = await statesOf(db, seal, accounts)
  for (const state of states) accounts.set(state.accountId, state)
  const leaves = await store.readLeaves(db, { seal: BigInt(seal.number) })
  const stored = new Map(leaves.map((leaf) => [leaf.accountId, leaf]))
  const computed = states.map((state) => leafOf(state, seal.closes, stored.get(state.accountId)?.nonce ?? ''))
  const hashes = leafHashesOf(await readHeader(db, seal, previous), computed)
  const faults = states.flatMap(({ accountId, ownerId, balance, unit }, at) =>
    stored.get(accountId)?.hash === hashes[at + 1]?.toString('hex')
      ? []
      : [`${name}: ${ownerId}:${balance} ${unit} differs from what was sealed`],
  )
  if (seal.number !== (previous?.number ?? 0) + 1) faults.push(`${name}: the seal before it is missing`)
  if (BigInt(seal.firstSeq) !== BigInt(previous?.lastSeq ?? 0) + 1n)
    faults.push(`${name}: does not begin where the seal before it ends`)
  if (faults.length === 0 && rootOf(hashes).toString('hex') !== seal.root)
    faults.push(`${name}: its postings, its accounts or its root were changed`)
  return faults
}

/** Recomputes every seal from the books. Returns each fault as one line; none where nothing was changed. */
export const verifySeals = async (db: Queryable): Promise<string[]> => {
  const accounts = new Map<string, AccountState>()
  const faults: string[] = []
  let previous: Seal | null = null
  for (;;) {
    const seals: Seal[] = await store.readSeals(db, {
      from: BigInt((previous?.number ?? 0) + 1),
      limit: PAGE,
    })
    for (const seal of seals) {
      faults.push(...(await verifySeal(db, seal, { accounts, previous })))
      previous = seal
    }
    if (seals.length < PAGE) return faults
  }
}
