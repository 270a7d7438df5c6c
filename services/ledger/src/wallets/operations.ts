import { implement, reply, type Db, type Implementation } from '@causeway/chassis'
import { wallets, type MerchantBalance, type Wallet } from '@causeway/contracts'
import { partsOfUnit, presentAmount } from '../posting/amounts.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { listMerchantBalances, listPartnerWallets, listWallets, type WalletRow } from './store.ts'

const present = (row: WalletRow, now: Date): Wallet => {
  const parts = partsOfUnit(row.unit)
  return {
    unit: row.unit,
    kind: 'currency' in parts ? 'fiat' : 'crypto',
    ...parts,
    pending: presentAmount(row.unit, row.pending),
    available: presentAmount(row.unit, row.available),
    reserved: presentAmount(row.unit, row.reserved),
    on_the_way: presentAmount(row.unit, row.onTheWay),
    next_available_at: row.nextAvailableAt?.toISOString() ?? null,
    as_of: now.toISOString(),
  }
}

const presentBalance = (
  row: Omit<WalletRow, 'nextAvailableAt'> & Pick<MerchantBalance, 'partnerCustomerId'>,
) => ({
  partnerCustomerId: row.partnerCustomerId,
  unit: row.unit,
  pending: presentAmount(row.unit, row.pending),
  available: presentAmount(row.unit, row.available),
  reserved: presentAmount(row.unit, row.reserved),
  onTheWay: presentAmount(row.unit, row.onTheWay),
})

/** `ledger.wallets` (decisions §48). */
export const walletOperations = (db: Db, relationships: Relationships): Implementation[] =>
  implement(wallets, {
    async list({ caller: { partnerId }, params, now }) {
      const customer = { partnerId, partnerCustomerId: params.customerId }
      const refusal = await relationships.refuseUngranted(customer, 'wallets')
      if (refusal) return refusal
      const rows = await listWallets(db, customer)
      return reply({ wallets: rows.map((row) => present(row, now)) })
    },

    async listOwn({ caller: { partnerId }, now }) {
      const rows = await listPartnerWallets(db, { partnerId })
      return reply({ wallets: rows.map((row) => present(row, now)) })
    },

    async listByMerchant({ caller: { merchantId } }) {
      const rows = await listMerchantBalances(db, { merchantId })
      return reply({ balances: rows.map(presentBalance) })
    },
  })
