import { eventually } from '@causeway/chassis/testing'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import { ok } from '../story.ts'

type Wallets = Readonly<{ wallets: readonly unknown[] }>

/** Balances after payments in two units: of the customer, its partner and its merchant. @param path the customer's */
export const readBalances = async (partner: RawClient, merchant: RawClient, path: string): Promise<void> => {
  await eventually(async () => (await ok<Wallets>(partner.get(`${path}/wallets`))).wallets.length === 2)
  await ok(partner.get('/api/v1/partner/balance'))
  await ok(merchant.get('/api/user/balances'))
}
