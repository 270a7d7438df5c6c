import { z } from 'zod'
import { DEPOSIT_BUCKETS, DepositMove } from '../payments/deposit-moves.ts'
import { Asset, Network, NETWORK_ASSETS } from '../payments/networks.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { FactId } from './card-facts.ts'

/** An amount of an asset: a decimal of at least 0. */
const Amount = z.string().regex(/^\d{1,38}(\.\d{1,18})?$/)

type OnChain = Readonly<{ network: Network; asset: Asset }>
const isOfNetwork = ({ network, asset }: OnChain): boolean =>
  (NETWORK_ASSETS[network] as readonly Asset[]).includes(asset)
const OF_NETWORK = { path: ['asset'], error: 'The network does not have this asset' }

/** A network's fee in the network's own asset, and the place that it leaves. */
const NetworkFee = z.object({
  asset: Asset,
  amount: Amount,
  paid_from: z.enum(['deposits', 'gas', 'treasury']),
})

/** A deposit begins to count, moves between its buckets, or is taken back by a reorganisation. */
export const DepositMoved = DepositMove.extend({
  kind: z.literal('deposit_moved'),
  fact_id: FactId,
  at: Timestamp,
})
  .refine(isOfNetwork, OF_NETWORK)
  .refine(
    ({ settled_amount: amount, settled_cents: cents, settled_currency: currency }) =>
      [amount, cents, currency].every((each) => (each === undefined) === (currency === undefined)),
    {
      path: ['settled_currency'],
      error: 'A conversion has an amount, cents and a currency',
    },
  )

/** Crypto was sent back to its payer. `amount` is what left for the payer; the fee comes on top. */
export const CryptoRefunded = z
  .object({
    kind: z.literal('crypto_refunded'),
    fact_id: FactId,
    at: Timestamp,
    order_id: idOf('cryptoOrder'),
    partner_customer_id: idOf('relationship'),
    network: Network,
    asset: Asset,
    bucket: z.enum(DEPOSIT_BUCKETS),
    amount: Amount,
    network_fee: NetworkFee.extend({ borne_by: z.enum(['bucket', 'platform']) }),
  })
  .refine(isOfNetwork, OF_NETWORK)
  .refine(({ network_fee: fee, asset }) => fee.borne_by === 'platform' || fee.asset === asset, {
    path: ['network_fee', 'borne_by'],
    error: 'A fee in another asset is borne by the platform',
  })
  .refine(({ network, network_fee: { asset } }) => isOfNetwork({ network, asset }), {
    path: ['network_fee', 'asset'],
    error: OF_NETWORK.error,
  })

/**
 * The signer moves deposits to the treasury, or a transfer of it failed and cost a fee. `leaves`: the amount that the
 * broadcast put in flight, including a fee that is paid from it; 0 of a refund that failed.
 */
export const TransferMoved = z
  .object({
    kind: z.literal('transfer_moved'),
    fact_id: FactId,
    at: Timestamp,
    network: Network,
    asset: Asset,
    step: z.enum(['broadcast', 'confirmed', 'failed']),
    leaves: Amount,
    /** Amount that the treasury received; 0 before the transfer is confirmed. */
    arrives: Amount,
    network_fee: NetworkFee,
  })
  .refine(isOfNetwork, OF_NETWORK)
  .refine(({ network, network_fee: { asset } }) => isOfNetwork({ network, asset }), {
    path: ['network_fee', 'asset'],
    error: OF_NETWORK.error,
  })
  .refine(({ network_fee: fee, asset }) => fee.paid_from !== 'deposits' || fee.asset === asset, {
    path: ['network_fee', 'paid_from'],
    error: 'A fee in another asset is not paid from the deposits',
  })
  .refine(({ step, arrives }) => step === 'confirmed' || !/[1-9]/.test(arrives), {
    path: ['arrives'],
    error: 'Nothing arrives before the transfer is confirmed',
  })
