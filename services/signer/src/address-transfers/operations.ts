import { implement, reply, type Db, type Implementation } from '@causeway/chassis'
import { addressTransfers, MOST_TRANSFERS_OF_ADDRESS } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { listLeft, listOfAddress } from './store.ts'

/** `signer.address-transfers` (decisions §51). */
export const addressTransferOperations = ({ db }: Readonly<{ db: Db }>): Implementation[] =>
  implement(addressTransfers, {
    async list({ body: { network, asset, key_indexes: keyIndexes } }) {
      const decimals = ASSET_DECIMALS[asset]
      const rows = await listLeft(db.pooled, { network, asset, keyIndexes })
      return reply({
        addresses: rows.map(({ keyIndex, total, isMoving }) => ({
          key_index: keyIndex,
          left: fromUnits(toUnits(total, decimals), decimals),
          is_moving: isMoving,
        })),
      })
    },

    async listOfAddress({ body: { network, key_index: keyIndex, coins } }) {
      const named = new Map(coins.map((coin) => [`${coin.tx_id}:${coin.output_index}`, coin]))
      const limit = MOST_TRANSFERS_OF_ADDRESS
      const rows = await listOfAddress(db.pooled, { network, keyIndex, coins: [...named.keys()], limit })
      return reply({
        transfers: rows.map((row) => ({
          purpose: row.purpose,
          asset: row.asset,
          unattributed_money_id: row.unattributedMoneyId,
          tx_id: row.txId,
          started_at: row.createdAt.toISOString(),
          confirmed_at: row.confirmedAt?.toISOString() ?? null,
          coins: row.namesCoins ? row.spent.flatMap((spent) => named.get(spent) ?? []) : null,
        })),
      })
    },
  })
