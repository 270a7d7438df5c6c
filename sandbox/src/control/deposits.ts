import { ASSETS, NETWORK_ASSETS, NETWORKS, type Asset } from '@causeway/contracts'
import type { WatchEntry } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { type Response, Router } from 'express'
import { z } from 'zod'
import { isPayable } from '../chain/amount.ts'
import type { StoredDeposit } from '../chain/blocks.ts'
import type { Ledger } from '../chain/ledger.ts'
import { parseRequest, SandboxError } from '../http/answers.ts'
import { abortOnClose } from '../http/abort-on-close.ts'

/** More than any confirmation depth that a deployment may set. */
const DEFAULT_CONFIRMATIONS = Math.max(144, ...Object.values(CONFIRMATION_DEPTHS))

/**
 * Pays a watched address immediately. @returns the transaction's id, or null if the chain does not watch the
 * address
 */
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
  asset: z.enum(ASSETS).optional(),
  amount: z
    .union([z.string().max(60), z.number()])
    .transform(String)
    .optional(),
  confirmations: Confirmations.default(DEFAULT_CONFIRMATIONS),
})
const ConfirmationRequest = z.strictObject({ order_id: OrderId, confirmations: Confirmations })
const BlocksRequest = z.strictObject({ network: z.enum(NETWORKS), blocks: z.int().min(1).max(1_000) })

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

/** The address as it receives the requested asset, which is one of its network; without one, the order's. */
const watchIn = (watch: WatchEntry, asset: Asset = watch.asset): WatchEntry => {
  const assets: readonly Asset[] = NETWORK_ASSETS[watch.network]
  if (assets.includes(asset)) return { ...watch, asset }
  throw new SandboxError(400, 'invalid_request', `${watch.network} has no ${asset}.`, [
    { field: 'asset', reason: 'invalid_value', expected: `one of: ${assets.join(', ')}` },
  ])
}

const asDetail = ({ asset, txId, amount, confirmations, blockNumber }: StoredDeposit) => ({
  asset,
  tx_id: txId,
  amount,
  confirmations,
  block_number: blockNumber,
})

/** The requested amount, or the amount due when none was requested. */
const amountOf = (
  ledger: Ledger,
  watch: WatchEntry,
  asked: string | undefined,
  isOrders: boolean,
): string => {
  if (asked === undefined && !isOrders)
    throw new SandboxError(400, 'invalid_request', 'Give an amount for an asset other than the order’s.', [
      { field: 'amount', reason: 'required' },
    ])
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
    throw new SandboxError(
      400,
      'invalid_request',
      `The amount must be a decimal above zero in ${watch.asset}.`,
      [
        {
          field: 'amount',
          reason: 'invalid_value',
          expected: `a decimal above 0 with no more decimals than ${watch.asset} has`,
        },
      ],
    )
  return asked
}

/**
 * `POST /control/deposits`, `POST /control/confirmations`, `POST /control/chain/mine` and
 * `POST /control/chain/reorganise` (decisions §15).
 * @param waitMs how long a call waits for the platform to register its order
 */
export const depositControls = (ledger: Ledger, waitMs: number): Router => {
  const routes = Router()

  routes.post('/deposits', async (request, response) => {
    const wanted = parseRequest(DepositRequest, request.body)
    const watch = await awaitWatch({ ledger, waitMs }, wanted.order_id, response)
    const paid = watchIn(watch, wanted.asset)
    const amount = amountOf(ledger, paid, wanted.amount, paid.asset === watch.asset)
    const deposit = ledger.deposit(paid, amount, wanted.confirmations)
    response.json({
      order_id: watch.orderId,
      network: watch.network,
      address: watch.address,
      ...asDetail(deposit),
      still_due: ledger.amountDue(watch),
    })
  })

  routes.post('/confirmations', async (request, response) => {
    const wanted = parseRequest(ConfirmationRequest, request.body)
    const watch = await awaitWatch({ ledger, waitMs }, wanted.order_id, response)
    const deposits = ledger.confirmAll(watch, wanted.confirmations)
    if (deposits.length === 0)
      throw new SandboxError(409, 'nothing_to_confirm', 'The order has no deposit yet.')
    response.json({
      order_id: watch.orderId,
      confirmations: wanted.confirmations,
      deposits: deposits.map(asDetail),
    })
  })

  routes.post('/chain/mine', (request, response) => {
    const { network, blocks } = parseRequest(BlocksRequest, request.body)
    response.json({ network, blocks, block_number: ledger.mine(network, blocks) })
  })

  routes.post('/chain/reorganise', (request, response) => {
    const { network, blocks } = parseRequest(BlocksRequest, request.body)
    response.json({ network, blocks, deposits: ledger.reorganise(network, blocks).map(asDetail) })
  })

  return routes
}
