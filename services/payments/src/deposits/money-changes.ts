import { ASSET_DECIMALS, fromUnits } from '@causeway/rails/networks'
import type { OrderRecord } from '../crypto-orders/order.ts'
import type { DepositMoney } from '../unattributed-money/store.ts'
import { unitsOf, type Allocation } from './allocation.ts'

/** A row to write; `isListed`: it was not on the list of its kind before. */
export type MoneyChange = Readonly<{ row: DepositMoney; isListed: boolean }>

/**
 * How a deposit's row of unattributed money changes with its allocation: it is listed, keeps its id while what waits for
 * staff changes, and leaves the list when it counts after all or the chain has taken it back.
 * @returns null where nothing changes
 */
export const changeMoney = (
  order: OrderRecord,
  { deposit, unattributed }: Allocation,
  newId: () => string,
): MoneyChange | null => {
  const { network, txId, outputIndex, asset, blockNumber, countedAt, money, heldAt, sender } = deposit
  const known = money.find(({ status }) => status === 'open')
  const place = {
    orderId: order.id,
    partnerId: order.partnerId,
    partnerCustomerId: order.partnerCustomerId,
    merchantId: order.merchantId,
    network,
    txId,
    outputIndex,
    address: heldAt ?? order.address,
    sender,
    blockNumber,
  }
  if (unattributed === null || countedAt === null) {
    if (known === undefined) return null
    const { id, kind, unit, amount } = known
    const endedBy = countedAt === null ? 'reverted' : 'counted'
    return {
      row: { ...place, id, kind, unit, amount, receivedAt: countedAt ?? new Date(0), endedBy },
      isListed: false,
    }
  }
  const { kind, units } = unattributed
  const unit = `${network}/${asset}`
  const isSame =
    known !== undefined &&
    known.kind === kind &&
    known.unit === unit &&
    unitsOf({ asset, amount: known.amount }) === units
  if (isSame) return null
  const amount = fromUnits(units, ASSET_DECIMALS[asset])
  const id = known?.id ?? newId()
  return {
    row: { ...place, id, kind, unit, amount, receivedAt: countedAt, endedBy: null },
    isListed: known?.kind !== kind,
  }
}
