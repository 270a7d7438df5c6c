import { randomUUID } from 'node:crypto'
import type { KeylessServiceContext } from '@causeway/chassis'
import type { Asset, Network } from '@causeway/contracts'
import type { SignedTransfer, Transfers } from '@causeway/rails/transfers'
import type { Payments } from '../clients/payments.ts'
import { appendRecord } from '../record/store.ts'
import { beginSigning, finishSigning } from '../transfers/signings.ts'
import { insertSignedSweep } from './store.ts'

/** Newer deposits may still be reverted, or held by an onramp order: 72 hours and a margin. */
const SETTLED_AFTER_MS = 96 * 3_600_000

/** A page of a sweep, and the order after which it begins; null: the first. */
export type SweepPage = Readonly<{ network: Network; asset: Asset; afterOrderId: string | null }>

/** Result of sweeping one page of addresses. */
export type Swept =
  /** A transfer of the network is not confirmed yet, or one was signed now: the same page is looked at again. */
  | Readonly<{ state: 'under way' }>
  /** Nothing is left on the page that is worth its fee. */
  | Readonly<{ state: 'empty'; afterOrderId: string }>
  /** There is no page. */
  | Readonly<{ state: 'done' }>

/** Returns the fault of a signed sweep, or null. */
const faultOf = (signed: SignedTransfer, toAddress: string, allowed: readonly number[]): string | null => {
  if (signed.toAddress !== toAddress) return 'it pays to another address'
  return signed.sources.every(({ index }) => allowed.includes(index))
    ? null
    : 'it spends from other addresses'
}

/**
 * Empties a page of addresses of ended orders to the address of the settings. What is signed is stored and recorded
 * before it is sent, and sent and followed as a refund is. Payments only says which addresses are done with: wherever it
 * pointed, the money would go to that one address.
 */
export const createSweeping =
  ({ db, clock }: Pick<KeylessServiceContext, 'db' | 'clock'>, payments: Payments) =>
  async (
    { network, asset, afterOrderId }: SweepPage,
    transfers: Transfers,
    toAddress: string,
    signal: AbortSignal,
  ): Promise<Swept> => {
    const signing = await beginSigning(db, network)
    if (signing.outstanding.length > 0) return { state: 'under way' }
    const before = new Date(clock.nowMs() - SETTLED_AFTER_MS)
    const { keyIndexes, next } = await payments.listPaid(network, asset, afterOrderId, before)
    if (next === null) return { state: 'done' }
    const signed =
      keyIndexes.length === 0
        ? null
        : await transfers.signSweep({ fromIndices: keyIndexes, asset, toAddress }, [], signal)
    if (signed === null) return { state: 'empty', afterOrderId: next }
    const fault = faultOf(signed, toAddress, keyIndexes)
    if (fault !== null)
      throw new Error(`A sweep of ${network} was signed incorrectly and is not sent: ${fault}`)
    await db.transaction(async (tx) => {
      if (!(await finishSigning(tx, signing))) return
      const now = clock.now()
      const id = `sweep-${randomUUID()}`
      await insertSignedSweep(tx, {
        id,
        network,
        asset,
        toAddress,
        signed: JSON.stringify(signed),
        networkFee: signed.networkFee,
        now,
      })
      await appendRecord(tx, { kind: 'signed', subject: id, now, signed })
    })
    return { state: 'under way' }
  }
