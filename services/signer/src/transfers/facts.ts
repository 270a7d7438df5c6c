import type { LedgerFactOf } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { SignedTransfer } from '@causeway/rails/transfers'
import type { TransferRecord } from './transfer.ts'

type TransferFact = LedgerFactOf<'transfer_moved'>
type Step = TransferFact['step']

type Moved = Readonly<{
  id: string
  signed: SignedTransfer
  step: Step
  at: Date
  /** True if the broadcast of a sweep has put its amount in flight. */
  isInFlight: boolean
  networkFee: string
  paidFrom?: TransferFact['network_fee']['paid_from']
}>

const leavesOf = ({ sources, asset }: SignedTransfer): string => {
  const decimals = ASSET_DECIMALS[asset]
  return fromUnits(
    sources.reduce((sum, { amount }) => sum + toUnits(amount, decimals), 0n),
    decimals,
  )
}

const placeOfFee = ({ feeAsset, asset }: SignedTransfer): 'deposits' | 'gas' =>
  feeAsset === asset ? 'deposits' : 'gas'

const factOf = ({ id, signed, step, at, isInFlight, networkFee, ...rest }: Moved): TransferFact => ({
  kind: 'transfer_moved',
  fact_id: `transfer_moved:${id}:${step}`,
  at: at.toISOString(),
  network: signed.network,
  asset: signed.asset,
  step,
  leaves: isInFlight ? leavesOf(signed) : '0',
  arrives: step === 'confirmed' && isInFlight ? signed.amount : '0',
  network_fee: {
    asset: signed.feeAsset,
    amount: networkFee,
    paid_from: rest.paidFrom ?? placeOfFee(signed),
  },
})

/** A payout of a token whose gas was paid by the treasury's own ether, or of an asset that pays its own fee. */
const paysOwnFee = ({ feeAsset, asset, sources, spends }: SignedTransfer): boolean =>
  feeAsset === asset || (spends.length === 1 && spends[0]?.startsWith(`${sources[0]?.address}/`) === true)

/**
 * Returns the fact of a payout's end: what it cost beyond the amount, which the payout's own posting takes from the
 * treasury. A fee that is paid from the amount is in it; on BTC and LTC dust may leave with it.
 */
const factsOfPayout = (
  { id, amount }: Pick<TransferRecord, 'id' | 'amount'>,
  signed: SignedTransfer,
  { step, at, networkFee }: Readonly<{ step: Step; at: Date; networkFee: string }>,
): TransferFact[] => {
  if (step === 'broadcast') return []
  const { asset, feeAsset } = signed
  const decimals = ASSET_DECIMALS[asset]
  const isInAmount = step === 'confirmed' && feeAsset === asset
  const beyond = isInAmount
    ? fromUnits(toUnits(leavesOf(signed), decimals) - toUnits(amount ?? '0', decimals), decimals)
    : networkFee
  if (!/[1-9]/.test(beyond)) return []
  const paidFrom = paysOwnFee(signed) ? 'treasury' : 'gas'
  return [factOf({ id, signed, step, at, isInFlight: false, networkFee: beyond, paidFrom })]
}

/**
 * Returns the fact of a step: of each step of a sweep, of what a payout cost beyond its amount, and of a transfer that failed and cost a fee. A step that moves
 * nothing has none. Payments records the refunds that were sent.
 * @param transfer the transfer before the step
 * @param networkFee what the network took; null: what it takes at most
 */
export const factsOfStep = (
  {
    id,
    purpose,
    status,
    signed: text,
    amount = null,
  }: Pick<TransferRecord, 'id' | 'purpose' | 'status' | 'signed'> & Partial<Pick<TransferRecord, 'amount'>>,
  { step, at, networkFee }: Readonly<{ step: Step; at: Date; networkFee: string | null }>,
): TransferFact[] => {
  if (text === null) return []
  const signed = JSON.parse(text) as SignedTransfer
  const isInFlight = purpose === 'sweep' && (step === 'broadcast' || status === 'broadcast')
  const fee = networkFee ?? (step === 'failed' ? '0' : signed.networkFee)
  if (purpose === 'payout') return factsOfPayout({ id, amount }, signed, { step, at, networkFee: fee })
  const isPaid = step === 'failed' && /[1-9]/.test(fee)
  return isInFlight || isPaid ? [factOf({ id, signed, step, at, isInFlight, networkFee: fee })] : []
}

/** A sweep of which facts are missing. `broadcastAt`: by the record; null if it was never broadcast. */
export type SweepWithoutFacts = Readonly<
  Pick<TransferRecord, 'id' | 'status' | 'signed' | 'networkFee'> & {
    broadcastAt: Date | null
    updatedAt: Date
  }
>

/** Returns the facts of all steps that a sweep has made. The row of a failed one does not tell what it cost. */
export const factsOfSweep = (sweep: SweepWithoutFacts): TransferFact[] => {
  const { status, broadcastAt, updatedAt: at, networkFee } = sweep
  if (broadcastAt === null) return []
  const transfer = { ...sweep, purpose: 'sweep', status: 'broadcast' } as const
  const facts = factsOfStep(transfer, { step: 'broadcast', at: broadcastAt, networkFee: null })
  if (status === 'confirmed') facts.push(...factsOfStep(transfer, { step: status, at, networkFee }))
  if (status === 'failed') facts.push(...factsOfStep(transfer, { step: status, at, networkFee: null }))
  return facts
}
