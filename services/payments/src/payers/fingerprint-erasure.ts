import type { Transaction } from '@causeway/chassis'
import * as store from './store.ts'
import type { SearchedPayer } from './search.ts'

/** Counts of a payer's erased fingerprints, the keyed hashes that identify it. */
export type ErasedFingerprints = Readonly<{
  erased: Readonly<{ chargebacks: number; chargeback_cases: number; risk_alerts: number }>
  /** An active case blocks the payer: its fingerprints stay. */
  isBlocked: boolean
  /** A dispute's event contained the payer's address. */
  wasDisputed: boolean
}>

/**
 * Erases the fingerprints of the payer of these orders, and with `payer` those of its value at every merchant, unless
 * an active case needs them.
 */
export const erasePayerFingerprints = async (
  tx: Transaction,
  orderIds: readonly string[],
  payer: SearchedPayer | null,
): Promise<ErasedFingerprints> => {
  const ofIp = { orderIds, ipMac: payer?.kind === 'ip' ? payer.mac : null }
  const ofValue = { orderIds, kind: payer?.kind ?? null, mac: payer?.mac ?? null }
  const ipMacs = (await store.listDisputedAddresses(tx, ofIp)).map(({ ipMac }) => ipMac)
  const chargebacks = await store.eraseChargebacks(tx, ofIp)
  const cases = await store.eraseCases(tx, ofValue)
  const alerts = await store.eraseRiskAlerts(tx, { ipMacs })
  const found = await store.isPayerBlocked(tx, ofValue)
  return {
    erased: {
      chargebacks: chargebacks.length,
      chargeback_cases: cases.length,
      risk_alerts: alerts.length,
    },
    isBlocked: found?.blocked ?? false,
    wasDisputed: ipMacs.length > 0,
  }
}
