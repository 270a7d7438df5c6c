import type { DepositBucket, Network } from '@causeway/contracts'

/** Balances of a relationship or a partner in one unit (decisions §47). */
type BalanceName = 'pending' | 'available' | 'reserved' | 'on_the_way'

/** An account, before its unit is known. `balance` names the owner's balance; null where `ownerId` is. */
export type Account = Readonly<{
  name: string
  class: 'asset' | 'liability' | 'income' | 'cost'
  ownerId: string | null
  balance: BalanceName | null
}>

/** The account of a relationship (`pcu_`) or a partner (`prt_`). */
export const ownedAccount = (ownerId: string, balance: BalanceName): Account => ({
  name: `${ownerId}:${balance}`,
  class: 'liability',
  ownerId,
  balance,
})

const unowned = (name: string, accountClass: Account['class']): Account => ({
  name,
  class: accountClass,
  ownerId: null,
  balance: null,
})

/** Money that a card processor has collected and not paid out. */
export const receivable = (processor: string): Account =>
  unowned(`processor:${processor}:receivable`, 'asset')

/** Money that a card processor has paid out and the bank has not received. */
export const inTransit = (processor: string): Account => unowned(`processor:${processor}:in_transit`, 'asset')

/** Money on the chain: at deposit addresses, in a transfer, at the treasury address, for gas. */
export const onChain = (network: Network, place: 'deposits' | 'in_flight' | 'treasury' | 'gas'): Account =>
  unowned(`chain:${network}:${place}`, 'asset')

/** Deposits that belong to payers; what is `applied` belongs to the relationship. */
export const payers = (bucket: Exclude<DepositBucket, 'applied'>): Account =>
  unowned(`payers:${bucket}`, 'liability')

export const SERVICE_FEE_INCOME = unowned('income:service_fee', 'income')
/** Amounts of a unit whose counterpart is not known. */
export const suspense = (unit: string): Account => unowned(`suspense:${unit}`, 'asset')

/** Amounts of a unit that were converted to another one, or from it. All units together show what conversions cost. */
export const converted = (unit: string): Account => unowned(`fx:${unit}`, 'asset')

/** An account of money outside the books by its name: at a bank (`bank:{id}`), or at a network's treasury address. */
export const outside = (name: string): Account => unowned(name, 'asset')

/** The platform's account at the bank. */
export const MAIN_BANK = outside('bank:main')

export const PROCESSOR_FEE_COST = unowned('cost:processor_fee', 'cost')
export const DISPUTE_FEE_COST = unowned('cost:dispute_fee', 'cost')
/** Differences that were closed without a counterpart, and negative balances that were written off. */
export const LOSS_COST = unowned('cost:loss', 'cost')
export const NETWORK_FEE_COST = unowned('cost:network_fee', 'cost')
