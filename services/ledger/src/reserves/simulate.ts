import type { Db } from '@causeway/chassis'
import { MAX_REPORT_ENTRIES, SIMULATED_DAYS } from '@causeway/contracts'
import type { ReserveTerms } from './rules.ts'
import { simulate, type SimulatedEntry, type UnitSimulation } from './simulation.ts'
import * as store from './simulation-store.ts'

const DAY_MS = 86_400_000
/** Entries of one read. */
const PAGE = 5_000n

type Simulated = Readonly<{ since: Date; until: Date; units: readonly UnitSimulation[] }>

/** Reads the entries of an account that were recorded since an instant, newest first, page by page. */
const readEntries = async (db: Db, account: store.AccountRow, since: Date): Promise<SimulatedEntry[]> => {
  const entries: SimulatedEntry[] = []
  for (let through = BigInt(account.entries); through > 0n; through -= PAGE) {
    const rows = await store.listEntries(db, {
      accountId: account.accountId,
      after: through - PAGE,
      through,
    })
    const recent = rows.filter(({ recordedAt }) => recordedAt >= since)
    for (const row of recent)
      entries.push({
        ...{ ...row, ownerId: account.ownerId, unit: account.unit, amount: BigInt(row.amount) },
        balanceBefore: BigInt(row.balanceAfter) - BigInt(row.amount),
      })
    if (recent.length < rows.length || entries.length > MAX_REPORT_ENTRIES) break
  }
  return entries.reverse()
}

/**
 * Simulates a plan over a merchant's last 180 days, with the rules that the books follow.
 * @returns null for a merchant with more entries than a simulation reads
 */
export const simulatePlan = async (
  db: Db,
  merchantId: string,
  terms: NonNullable<ReserveTerms>,
  now: Date,
): Promise<Simulated | null> => {
  const since = new Date(now.getTime() - SIMULATED_DAYS * DAY_MS)
  // A share that was earned earlier may be held when the period begins.
  const earlier = terms.kind === 'share' ? terms.days * DAY_MS : 0
  const entries: SimulatedEntry[] = []
  for (const account of await store.listAccounts(db, { merchantId })) {
    entries.push(...(await readEntries(db, account, new Date(since.getTime() - earlier))))
    if (entries.length > MAX_REPORT_ENTRIES) return null
  }
  const units = simulate(entries, terms, { fromMs: since.getTime(), toMs: now.getTime() })
  return { since, until: now, units }
}
