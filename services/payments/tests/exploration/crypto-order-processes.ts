import { contextOf, createProcesses, type Body, type Outside } from '@causeway/chassis/exploration'
import { cryptoOrders, unattributedMoney } from '@causeway/contracts'
import type { ChainAdapter, DepositPage } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { createExpiry } from '../../src/crypto-orders/jobs/expiry.ts'
import { cryptoOrderOperations } from '../../src/crypto-orders/operations.ts'
import { createHandCheck } from '../../src/crypto-refunds/hand-check.ts'
import { createOrderRefund } from '../../src/crypto-refunds/order-refund.ts'
import { applyDepositMoney } from '../../src/deposits/apply-money.ts'
import { createPageReading } from '../../src/deposits/jobs/chain-watcher.ts'
import { createUnderpaidExpiry } from '../../src/deposits/jobs/expire-underpaid.ts'
import { restateReceived } from '../../src/deposits/restate-received.ts'
import { toTolerance, type Tolerance } from '../../src/deposits/settlement.ts'
import { unattributedMoneyOperations } from '../../src/unattributed-money/operations.ts'
import { listMoney } from '../../src/unattributed-money/store.ts'

export const ORDER_ID = 'ord_00000000000000000900000001'
export const PARTNER_ID = 'ptn_00000000000000000900000002'
export const ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const SENT_BACK_TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const LINKS = { publicBaseUrl: 'http://127.0.0.1', chains: {} }

/** Production code that a mutant replaces. */
export type CryptoOrderMutant = Readonly<{
  tolerance?: Tolerance
  chain?: (chain: ChainAdapter) => ChainAdapter
}>

const chainOver = ({ ask }: Outside): ChainAdapter => ({
  watch: () => Promise.resolve(),
  deposits: ({ after }) => ask<DepositPage>('chain', 'deposits', { after }),
  balanceOf: () => Promise.reject(new Error('not asked here')),
  close: () => Promise.resolve(),
})

const watcherBody =
  (holder: string, { tolerance = toTolerance(0.005), chain = (each) => each }: CryptoOrderMutant): Body =>
  (outside) =>
    createPageReading(contextOf(outside), chain(chainOver(outside)), {
      holder,
      tolerance,
      links: LINKS,
      confirmations: CONFIRMATION_DEPTHS,
      onWatchesLost: () => undefined,
    })(new AbortController().signal)

/** Time after the end of its rate at which an underpaid order expires. */
export const UNDERPAID_AFTER_MS = 30_000

/** Staff who end the first amount of the list. */
const staffBody =
  (end: 'keep' | 'apply', { tolerance = toTolerance(0.005) }: CryptoOrderMutant): Body =>
  async (outside) => {
    const context = contextOf(outside)
    const settlement = { ...context, tolerance, confirmations: CONFIRMATION_DEPTHS, links: LINKS }
    const [row] = await listMoney(context.db, { status: 'open', afterAt: new Date(0), afterId: '', limit: 1 })
    if (row === undefined) return
    const operations = unattributedMoneyOperations(context, {
      apply: { deposit: applyDepositMoney(settlement) },
      onDecided: restateReceived,
    } as unknown as Parameters<typeof unattributedMoneyOperations>[1])
    const { subject } = unattributedMoney[end]
    const found = operations.find((each) => each.operation.subject === subject)
    if (!found) throw new Error(`No operation ${subject}`)
    await found.handle({
      caller: { kind: 'operator', actor: 'staff' },
      params: { unattributedMoneyId: row.id },
      body: { reason: 'r', merchant_consent: 'c' },
      now: new Date(outside.nowMs()),
    } as unknown as Parameters<typeof found.handle>[0])
  }

/** An operation of crypto orders with the order as its parameter. */
const operationBody =
  (member: 'cancel' | 'refund', body: unknown): Body =>
  (outside) => {
    const context = contextOf(outside)
    const own = { chains: {}, accounts: {}, treasuryOf: () => null }
    const checkHandSent = createHandCheck({
      sources: new Map(),
      confirmations: CONFIRMATION_DEPTHS,
      log: context.log,
      timeoutFactor: 1,
    })
    const refunds = { refund: createOrderRefund(context, { links: LINKS, own, signer: null, checkHandSent }) }
    const options = { links: LINKS, refunds } as Parameters<typeof cryptoOrderOperations>[1]
    const { subject } = cryptoOrders[member]
    const found = cryptoOrderOperations(context, options).find((each) => each.operation.subject === subject)
    if (!found) throw new Error(`No operation ${subject}`)
    const now = new Date(outside.nowMs())
    const caller = { kind: 'partner', partnerId: PARTNER_ID, clientId: 'client' }
    const request = { caller, params: { orderId: ORDER_ID }, body, now, log: context.log }
    return found.handle(request as unknown as Parameters<typeof found.handle>[0])
  }

/**
 * Two replicas that read the chain, the jobs that expire orders, the partner that cancels, staff who send back, keep what
 * counts for no order, or apply it.
 */
export const createCryptoOrderProcesses = (mutant: CryptoOrderMutant) =>
  createProcesses({
    watcherA: watcherBody('A', mutant),
    watcherB: watcherBody('B', mutant),
    expiry: (outside) => createExpiry(contextOf(outside), { links: LINKS })(),
    underpaidExpiry: (outside) =>
      createUnderpaidExpiry(contextOf(outside), { links: LINKS, underpaidAfterMs: UNDERPAID_AFTER_MS })(),
    keep: staffBody('keep', mutant),
    apply: staffBody('apply', mutant),
    cancel: operationBody('cancel', undefined),
    sendBack: operationBody('refund', { to_address: SENT_BACK_TO }),
  })
