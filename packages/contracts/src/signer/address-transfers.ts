import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Asset, Network } from '../payments/networks.ts'
import { DecimalString, Timestamp } from '../primitives.ts'

/** Addresses of one request. */
export const ADDRESSES_PER_REQUEST = 200

/** Transfers from one address that are listed, the oldest. */
export const MOST_TRANSFERS_OF_ADDRESS = 100
/** Deposits of one address that are named. */
const MOST_COINS = 100

const Coin = z.object({ tx_id: z.string().max(128), output_index: z.number().int() })

/** A transfer from an address that was signed and has not failed. */
export const AddressTransfer = z.object({
  purpose: z.enum(['refund', 'sweep']),
  asset: Asset,
  /** The money that a refund of unattributed money sends back. Null: a sweep, or the refund of all that an order received. */
  unattributed_money_id: z.string().nullable(),
  /** It may change until the transfer is confirmed (ADR 0087). */
  tx_id: z.string(),
  started_at: Timestamp,
  /** Null: not confirmed yet. */
  confirmed_at: Timestamp.nullable(),
  /** Which of the named deposits it spends. Null: the network has no outputs that a transfer names. */
  coins: z.array(Coin).nullable(),
})
export type AddressTransfer = z.infer<typeof AddressTransfer>

/** `signer.address-transfers`: what the signer has moved from addresses of orders (decisions §51). */
export const addressTransfers = resource('signer.address-transfers', {
  list: operation({
    summary: 'List what has left addresses by their numbers; those that nothing has left are not listed',
    caller: 'service',
    services: ['payments'],
    body: z.strictObject({
      network: Network,
      asset: Asset,
      key_indexes: z.array(z.number().int().positive()).max(ADDRESSES_PER_REQUEST),
    }),
    reply: z.object({
      addresses: z.array(
        z.object({
          key_index: z.number().int(),
          /** Sum of the confirmed transfers, with the most that fees may have cost. */
          left: DecimalString,
          /** A transfer is signed, and neither confirmed nor failed. */
          is_moving: z.boolean(),
        }),
      ),
    }),
  }),
  listOfAddress: operation({
    summary: 'List the signed transfers from one address, oldest first, without failed ones',
    caller: 'service',
    services: ['payments'],
    body: z.strictObject({
      network: Network,
      key_index: z.number().int().positive(),
      /** Deposits of which the transfers that spend them are wanted. */
      coins: z.array(z.strictObject(Coin.shape)).max(MOST_COINS),
    }),
    reply: z.object({ transfers: z.array(AddressTransfer).max(MOST_TRANSFERS_OF_ADDRESS) }),
  }),
})
