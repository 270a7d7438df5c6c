import { CONFIRMATION_DEPTHS, type WatchEntry } from '@causeway/rails'
import { type Response, Router } from 'express'
import { z } from 'zod'
import { isPayable } from '../chain/amount.ts'
import type { Ledger } from '../chain/ledger.ts'
import { parseRequest, SandboxError } from '../http/answers.ts'
import { abortOnClose } from '../http/abort-on-close.ts'

/** More than any confirmation depth that a deployment may set. */
const DEFAULT_CONFIRMATIONS = Math.max(144, ...Object.values(CONFIRMATION_DEPTHS))

/** Pays a watched address at once. @returns the transaction's id, null where the chain watches no such address */
export const payAddress =
  (ledger: Ledger) =>
  (network: string, address: string, amount: string): string | null => {
    const watch = ledger.findByAddress(network, address)
    return watch === null ? null : ledger.deposit(watch, amount, DEFAULT_CONFIRMATIONS).txId
  }

const OrderId = z.string().min(1).max(100)
const Confirmations = z.int().min(0).max(1_000_000)
const DepositRequest = z.strictObject({
  order_id: OrderId,
  amount: z
    .union([z.string().max(60), z.number()])
    .transform(String)
    .optional(),
  confirmations: Confirmations.default(DEFAULT_CONFIRMATIONS),
})
const ConfirmationRequest = z.strictObject({ order_id: OrderId, confirmations: Confirmations })

const awaitWatch = async (
  { ledger, waitMs }: Readonly<{ ledger: Ledger; waitMs: number }>,
  orderId: string,
  response: Response,
): Promise<WatchEntry> => {
  const closed = abortOnClose(response)
  const until = performance.now() + waitMs
  for (;;) {
    const watch = ledger.find(orderId)
    if (watch) return watch
    const leftMs = until - performance.now()
    if (leftMs <= 0 || closed.aborted)
      throw new SandboxError(
        404,
        'resource_not_found',
        `The chain watches no order ${orderId}: no such order, or the platform has not registered it yet.`,
      )
    await ledger.watched.next(leftMs, closed)
  }
}

/** The requested amount, or the amount due when none was requested. */
const amountOf = (ledger: Ledger, watch: WatchEntry, asked: string | undefined): string => {
  if (asked === undefined) {
    const amountDue = ledger.amountDue(watch)
    if (amountDue === '0')
      throw new SandboxError(
        409,
        'nothing_due',
        'The whole amount was deposited before; give an amount to send more.',
      )
    return amountDue
  }
  if (!isPayable(asked, watch.asset))
    throw new SandboxError(400, 'invalid_request', `The amount is no decimal above zero in ${watch.asset}.`, [
      {
        field: 'amount',
        reason: 'invalid_value',
        expected: `a decimal above 0, no finer than ${watch.asset} can be split`,
      },
    ])
  return asked
}

/**
 * `POST /control/deposits` and `POST /control/confirmations` (decisions §15).
 * @param waitMs how long a call waits for the platform to register its order
 */
export const depositControls = (ledger: Ledger, waitMs: number): Router => {
  const routes = Router()

  routes.post('/deposits', async (request, response) => {
    const wanted = parseRequest(DepositRequest, request.body)
    const watch = await awaitWatch({ ledger, waitMs }, wanted.order_id, response)
    const amount = amountOf(ledger, watch, wanted.amount)
    const deposit = ledger.deposit(watch, amount, wanted.confirmations)
    response.json({
      order_id: watch.orderId,
      network: watch.network,
      asset: watch.asset,
      address: watch.address,
      tx_id: deposit.txId,
      amount: deposit.amount,
      confirmations: deposit.confirmations,
      block_number: deposit.blockNumber,
      still_due: ledger.amountDue(watch),
    })
  })

  routes.post('/confirmations', async (request, response) => {
    const wanted = parseRequest(ConfirmationRequest, request.body)
    const watch = await awaitWatch({ ledger, waitMs }, wanted.order_id, response)
    const deposits = ledger.confirmAll(watch.orderId, wanted.confirmations)
    if (deposits.length === 0)
      throw new SandboxError(409, 'nothing_to_confirm', 'The order has no deposit yet.')
    response.json({
      order_id: watch.orderId,
      confirmations: wanted.confirmations,
      deposits: deposits.map(({ txId, amount, confirmations, blockNumber }) => ({
        tx_id: txId,
        amount,
        confirmations,
        block_number: blockNumber,
      })),
    })
  })

  return routes
}
