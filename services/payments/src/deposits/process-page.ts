import type { Db } from '@causeway/chassis'
import type { DepositPage } from '@causeway/rails/chains'
import { advanceFeed } from './chain-feed-store.ts'
import { newEntries } from './deposit-page.ts'
import { settleDeposits, type SettlementContext } from './settle-deposits.ts'

type Dependencies = SettlementContext & Readonly<{ db: Db; holder: string }>

/**
 * Processes one page of the chain's feed in one transaction: settles its deposits and advances the feed's position. Does
 * nothing when another replica has taken over in the meantime.
 * @returns whether the position advanced
 */
export const processPage = (dependencies: Dependencies, from: number, page: DepositPage): Promise<boolean> =>
  dependencies.db.transaction(async (tx) => {
    if (!(await advanceFeed(tx, { holder: dependencies.holder, from, to: page.next }))) return false
    await settleDeposits(tx, dependencies, newEntries(page, from))
    return true
  })
