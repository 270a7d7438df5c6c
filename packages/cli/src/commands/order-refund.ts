import { randomUUID } from 'node:crypto'
import { ApiError, ConnectionError } from '@causeway/client'
import type { Command } from 'commander'
import { usageError } from '../cli-error.ts'
import { actWith, type Context } from '../context.ts'
import type { Output } from '../output/output.ts'
import { cents } from '../output/values.ts'
import type { Session } from '../session/session.ts'
import { amountCents } from './options.ts'

type Options = { amount?: number; description?: string; idempotencyKey?: string; toAddress?: string }

const EXAMPLES = `
A refund of a card order goes back to the card. What a cancelled crypto order had received
is paid back by the signer where the platform has one: repeat the command to see how far
it is. Without a signer, staff send it back themselves and say here where to.

Examples:
  causeway orders refund 1001 --amount 40 --description 'One of two items came back'
  causeway orders refund ord_01m801mgnde4dv5reab7agkq6w --to-address 0x5290…9EE7`

/** Crypto orders are named by their id, card orders by their key. */
export const isCryptoOrder = (order: string): boolean => order.startsWith('ord_')

/** Checks whether the refund may have been made despite the error. */
const isOpen = (error: unknown): boolean =>
  error instanceof ConnectionError ? error.isSent : error instanceof ApiError && error.status === 500

const refundCard = async (session: Session, orderKey: string, options: Options, output: Output) => {
  if (options.amount === undefined) throw usageError('Name the amount, such as --amount 40')
  const { amount, description = null, idempotencyKey = randomUUID() } = options
  try {
    const answer = await session
      .partner()
      .createRefund({ orderKey, body: { amount_cents: amount, description } }, { idempotencyKey })
    const { currency } = answer
    output.one(
      answer,
      `Refunded ${cents(answer.refund.amount_cents, currency)} of order ${orderKey}; ` +
        `${cents(answer.remaining_refundable_cents, currency)} can still be refunded.`,
    )
  } catch (error) {
    if (isOpen(error))
      output.note(
        `The refund may have been made. Repeat it with --idempotency-key ${idempotencyKey}: it is one refund`,
      )
    throw error
  }
}

const refundCrypto = async (session: Session, orderId: string, options: Options, output: Output) => {
  if (options.toAddress === undefined) throw usageError('Name the address to refund to: --to-address 0x…')
  const body = { to_address: options.toAddress }
  const recorded = await session.staff().recordCryptoRefund({ orderId, body })
  const { refund, to_address: address } = recorded
  output.one(
    recorded,
    refund === undefined
      ? `Recorded: what ${orderId} had received was sent back to ${address}.`
      : `The refund of ${orderId} to ${address} is ${refund.status}${refund.tx_id === null ? '' : `, transaction ${refund.tx_id}`}.`,
  )
}

/** `causeway orders refund`. */
export const addOrderRefund = (orders: Command, context: Context): void => {
  orders
    .command('refund')
    .description('refund an order')
    .argument('<order>', 'order key of a card order, or id of a crypto order, ord_…')
    .option('--amount <amount>', 'card: amount to refund, such as 40 or 40.50', amountCents)
    .option('--description <text>', 'card: reason of the refund')
    .option('--idempotency-key <key>', 'card: key of an earlier attempt, to refund only once')
    .option('--to-address <address>', 'crypto: address to send the refund to')
    .addHelpText('after', EXAMPLES)
    .action(
      actWith<Options>(context, (session, { args: [order = ''], options, output }) =>
        (isCryptoOrder(order) ? refundCrypto : refundCard)(session, order, options, output),
      ),
    )
}
