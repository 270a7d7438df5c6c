import { refuse, reply, type Logger, type Outcome, type Transaction } from '@causeway/chassis'
import { NETWORK_ASSETS, type Network, type RefundRequest } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import { findPayment, type BlockSource } from '@causeway/rails/chains'
import {
  ASSET_DECIMALS,
  canonicalTransactionId,
  fromUnits,
  parseDecimal,
  toUnits,
} from '@causeway/rails/networks'
import type { RefundSource } from './refund-source.ts'
import { lockTransactionId, sumSentByHand } from './signed-refund-store.ts'

/** Below the time for which callers wait. */
const CHECK_TIMEOUT_MS = 7_000

/** A refund that staff sent, as it is recorded. */
export type HandSent = Readonly<{
  txId: string | null
  /** The block of the transaction; null: nothing was checked, because the network has no node. */
  txBlock: number | null
  /** Amount that arrives, where staff state it; null: the whole amount. */
  sentAmount: string | null
  /** The network's part of the amount; null where staff state nothing. */
  networkFee: string | null
}>
/** `paid`: what its transaction pays to the address, a decimal in the asset; null where nothing was checked. */
type Checked = Readonly<{ sent: HandSent; paid: string | null }>
type Code = 'invalid_request' | 'temporarily_unavailable'
type Request = Pick<RefundRequest, 'to_address' | 'tx_id' | 'sent_amount'>

/** Checks a refund that staff sent, on the chain where there is a node. */
export type HandCheck = (source: RefundSource, request: Request) => Promise<Outcome<Checked, Code>>

type Options = Readonly<{
  /** The networks that have nodes. */
  sources: ReadonlyMap<Network, BlockSource>
  /** Confirmations from which on a transaction counts. */
  confirmations: Readonly<Record<Network, number>>
  log: Logger
  timeoutFactor: number
}>

const refuseField = (field: string, reason: string, expected: string, more: object = {}) =>
  refuse('invalid_request', [{ field, reason, expected, ...more }])

const isDecimalOf = (amount: string, decimals: number): boolean => {
  const { scale } = parseDecimal(amount)
  return scale <= decimals
}

/** Reads what arrives: all of the amount, or less by the fee where the network takes it from the amount. */
const readSentUnits = ({ network, asset, amount }: RefundSource, { sent_amount: stated }: Request) => {
  const decimals = ASSET_DECIMALS[asset]
  const whole = toUnits(amount, decimals)
  if (stated === undefined) return reply({ units: whole, whole })
  if (!isDecimalOf(stated, decimals))
    return refuseField('sent_amount', 'invalid_value', `an amount with at most ${decimals} decimals`)
  const units = toUnits(stated, decimals)
  if (units > whole) return refuseField('sent_amount', 'too_big', `at most ${amount} ${asset}`)
  if (units === 0n) return refuseField('sent_amount', 'too_small', `more than 0 ${asset}`)
  if (asset !== NETWORK_ASSETS[network][0] && units !== whole)
    return refuseField(
      'sent_amount',
      'too_small',
      `${amount} ${asset}: the network takes its fee in another asset`,
    )
  return reply({ units, whole })
}

/** Refuses a transaction that pays less than this refund and those that are recorded with it. */
const refuseTooLittle = (
  { asset, amount }: RefundSource,
  { to_address: address }: Request,
  { sentAmount, paid, recorded }: Readonly<{ sentAmount: string | null; paid: string; recorded: string }>,
) => {
  const decimals = ASSET_DECIMALS[asset]
  const needed = toUnits(sentAmount ?? amount, decimals) + toUnits(recorded, decimals)
  if (toUnits(paid, decimals) >= needed) return null
  const expected = `a transaction that pays ${address} at least ${fromUnits(needed, decimals)} ${asset}`
  return refuseField('tx_id', 'invalid_value', expected, { paid, recorded })
}

/**
 * Refuses a checked transaction that other refunds use too, in the transaction that records the refund: requests that name
 * it wait for each other.
 */
export const refuseUsedTransaction = async (
  tx: Transaction,
  source: RefundSource,
  request: Request,
  { sent: { txId, sentAmount }, paid }: Checked,
) => {
  if (txId === null || paid === null) return null
  await lockTransactionId(tx, { txId })
  const { network, asset } = source
  const recorded = await sumSentByHand(tx, { network, asset, txId, toAddress: request.to_address })
  return refuseTooLittle(source, request, { sentAmount, paid, recorded: recorded?.amount ?? '0' })
}

const isAway = (error: unknown): boolean =>
  error instanceof RailError || (error instanceof DOMException && error.name === 'TimeoutError')

/** Creates the check of refunds that staff sent (decisions §31). */
export const createHandCheck =
  ({ sources, confirmations, log, timeoutFactor }: Options): HandCheck =>
  async (source, request) => {
    const { network, asset } = source
    const { to_address: address, tx_id: given } = request
    const sent = readSentUnits(source, request)
    if (!sent.ok) return sent
    const { units, whole } = sent.value
    const decimals = ASSET_DECIMALS[asset]
    const stated = {
      sentAmount: request.sent_amount === undefined ? null : fromUnits(units, decimals),
      networkFee: request.sent_amount === undefined ? null : fromUnits(whole - units, decimals),
    }
    const chain = sources.get(network)
    if (chain === undefined)
      return reply({ sent: { ...stated, txId: given ?? null, txBlock: null }, paid: null })
    if (given === undefined)
      return refuseField('tx_id', 'required', 'the transaction with which the refund was sent')
    const txId = canonicalTransactionId(network, given)
    if (txId === null) return refuseField('tx_id', 'invalid_value', `a transaction id of ${network}`)
    const depth = confirmations[network]
    try {
      const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS * timeoutFactor)
      const found = await findPayment(chain, { txId, asset, address }, signal)
      if (found === null)
        return refuseField('tx_id', 'invalid_value', `a transaction in a block of ${network}`)
      if (found.units === 0n)
        return refuseField('tx_id', 'invalid_value', `a transaction that pays ${address} in ${asset}`)
      const paid = fromUnits(found.units, decimals)
      const { sentAmount } = stated
      const tooLittle = refuseTooLittle(source, request, { sentAmount, paid, recorded: '0' })
      if (tooLittle !== null) return tooLittle
      if (found.confirmations < depth)
        return refuseField('tx_id', 'invalid_value', `a transaction with at least ${depth} confirmations`, {
          confirmations: found.confirmations,
        })
      return reply({ sent: { ...stated, txId, txBlock: found.blockNumber }, paid })
    } catch (error) {
      if (!isAway(error)) throw error
      log.warn(
        { event: 'refund.check_failed', network, error },
        'The nodes of a network do not respond; the refund that staff sent is not recorded',
      )
      return refuse('temporarily_unavailable')
    }
  }
