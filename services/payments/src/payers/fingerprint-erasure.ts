import type { Transaction } from '@causeway/chassis'
import * as store from './store.ts'
import type { Wanted } from './search.ts'

/** What an erasure did to all that recognises a payer. */
export type ErasedMarks = Readonly<{
  erased: Readonly<{ chargebacks: number; chargeback_cases: number; risk_alerts: number }>
  /** A case still blocks the payer: its marks stay. */
  isBlocking: boolean
  /** The payer's address was told to merchants, with a dispute. */
  wasDisputed: boolean
}>

/**
 * Erases what recognises the payer of these orders, and with `wanted` its value at whatever merchant, unless an active
 * case needs it.
 */
export const erasePayerMarks = async (
  tx: Transaction,
  orderIds: readonly string[],
  wanted: Wanted | null,
): Promise<ErasedMarks> => {
  const ip = wanted?.kind === 'ip' ? wanted.mac : null
  const value = [wanted?.kind ?? null, wanted?.mac ?? null]
  const addresses = (await tx.query(store.readAddresses, [orderIds, ip])).map(({ ipMac }) => ipMac)
  const chargebacks = await tx.query(store.eraseChargebacks, [orderIds, ip])
  const cases = await tx.query(store.eraseCases, [orderIds, ...value])
  const alerts = await tx.query(store.eraseRiskAlerts, [addresses])
  const [seen] = await tx.query(store.isBlocking, [orderIds, ...value])
  return {
    erased: {
      chargebacks: chargebacks.length,
      chargeback_cases: cases.length,
      risk_alerts: alerts.length,
    },
    isBlocking: seen?.blocking ?? false,
    wasDisputed: addresses.length > 0,
  }
}
