import type { DatabaseSync } from 'node:sqlite'
import { ASSETS, NETWORK_ASSETS, type Asset, NETWORKS } from '@causeway/contracts'
import { MAX_WATCHES_PER_CALL } from '@causeway/rails/sandbox'
import { Router } from 'express'
import { z } from 'zod'
import { parseRequest, SandboxError } from '../http/answers.ts'
import { abortOnClose } from '../http/abort-on-close.ts'
import { isPayable } from './amount.ts'
import type { Ledger } from './ledger.ts'
import { createOutgoing, type Outgoing, TransactionRequest } from './outgoing.ts'

const MAX_WAIT_MS = 60_000
const PAGE_SIZE = 1_000

const Watch = z
  .strictObject({
    order_id: z.string().min(1).max(100),
    network: z.enum(NETWORKS),
    asset: z.enum(ASSETS),
    address: z.string().min(1).max(200),
    due: z.string().max(60),
  })
  .refine(({ network, asset }) => (NETWORK_ASSETS[network] as readonly Asset[]).includes(asset), {
    path: ['asset'],
  })
  .refine(({ asset, due }) => isPayable(due, asset), { path: ['due'] })

const WatchRequest = z.strictObject({ watches: z.array(Watch).max(MAX_WATCHES_PER_CALL) })

const integer = (max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().max(max))

const DepositQuery = z.strictObject({
  after: integer(Number.MAX_SAFE_INTEGER).default(0),
  wait_ms: integer(MAX_WAIT_MS).default(0),
  network: z.enum(NETWORKS).optional(),
})

const AccountQuery = z.strictObject({
  network: z.enum(NETWORKS),
  asset: z.enum(ASSETS),
  address: z.string().min(1).max(200),
})

/** Deep enough on every network. */
const CONFIRMATIONS = 64

/**
 * Adds the signer's routes: `POST /chain/transactions`, `GET /chain/transactions/{txId}`, `GET
 * /chain/balances`.
 */
const addOutgoing = (routes: Router, outgoing: Outgoing): void => {
  routes.post('/transactions', (request, response) => {
    outgoing.mine(parseRequest(TransactionRequest, request.body))
    response.json({ confirmations: CONFIRMATIONS })
  })
  routes.get('/transactions/:txId', (request, response) => {
    if (!outgoing.isMined(request.params.txId))
      throw new SandboxError(404, 'resource_not_found', 'The chain does not have this transaction.')
    response.json({ confirmations: CONFIRMATIONS })
  })
  routes.get('/balances', (request, response) => {
    const { network, asset, address } = parseRequest(AccountQuery, request.query)
    response.json(outgoing.accountOf(network, asset, address))
  })
}

/**
 * The API of the chain, as the platform's adapter uses it: `POST /chain/watches` and the long poll
 * `GET /chain/deposits?after=&wait_ms=&network=`; and what leaves addresses.
 */
export const chainRoutes = (ledger: Ledger, database: DatabaseSync, stopping: AbortSignal): Router => {
  const routes = Router()
  addOutgoing(routes, createOutgoing(database))

  routes.post('/watches', (request, response) => {
    const { watches } = parseRequest(WatchRequest, request.body)
    ledger.watch(watches.map(({ order_id: orderId, ...watch }) => ({ orderId, ...watch })))
    response.json({ watching: watches.length })
  })

  routes.get('/deposits', async (request, response) => {
    const { after, wait_ms: waitMs, network = null } = parseRequest(DepositQuery, request.query)
    const closed = abortOnClose(response, stopping)
    const until = performance.now() + waitMs
    let entries = ledger.entriesAfter(after, network, PAGE_SIZE)
    while (
      entries.length === 0 &&
      performance.now() < until &&
      ledger.lastSeq() >= after &&
      !closed.aborted
    ) {
      await ledger.changed.next(until - performance.now(), closed)
      entries = ledger.entriesAfter(after, network, PAGE_SIZE)
    }
    const deposits = entries.map(({ txId, outputIndex, blockNumber, blockHash, ...entry }) => ({
      ...entry,
      tx_id: txId,
      output_index: outputIndex,
      block_number: blockNumber,
      block_hash: blockHash,
    }))
    response.json({ deposits, next: entries.at(-1)?.seq ?? ledger.lastSeq() })
  })

  return routes
}
