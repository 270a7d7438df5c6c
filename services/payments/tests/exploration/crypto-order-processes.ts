import { contextOf, createProcesses, type Body, type Outside } from '@causeway/chassis/exploration'
import { cryptoOrders } from '@causeway/contracts'
import { CONFIRMATION_DEPTHS, type ChainAdapter, type DepositPage } from '@causeway/rails'
import { createExpiry } from '../../src/crypto-orders/jobs/expiry.ts'
import { cryptoOrderOperations } from '../../src/crypto-orders/operations.ts'
import { createOrderRefund } from '../../src/crypto-refunds/order-refund.ts'
import { createPageReading } from '../../src/deposits/jobs/chain-watcher.ts'
import { toTolerance, type Tolerance } from '../../src/deposits/settlement.ts'

export const ORDER_ID = 'ord_00000000000000000900000001'
export const PARTNER_ID = 'ptn_00000000000000000900000002'
export const ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const SENT_BACK_TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const LINKS = { publicBaseUrl: 'http://127.0.0.1', chains: {} }

/** What a mutant replaces of what runs in production. */
export type CryptoOrderMutant = Readonly<{
  tolerance?: Tolerance
  chain?: (chain: ChainAdapter) => ChainAdapter
}>

const chainOver = ({ ask }: Outside): ChainAdapter => ({
  watch: () => Promise.resolve(),
  deposits: ({ after }) => ask<DepositPage>('chain', 'deposits', { after }),
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

/** An operation of crypto orders with the order as its parameter. */
const operationBody =
  (member: 'cancel' | 'refund', body: unknown): Body =>
  (outside) => {
    const context = contextOf(outside)
    const own = { chains: {}, accounts: {} }
    const refunds = { refund: createOrderRefund(context, { links: LINKS, own, signer: null }) }
    const options = { links: LINKS, refunds } as Parameters<typeof cryptoOrderOperations>[1]
    const { subject } = cryptoOrders[member]
    const found = cryptoOrderOperations(context, options).find((each) => each.operation.subject === subject)
    if (!found) throw new Error(`No operation ${subject}`)
    const now = new Date(outside.nowMs())
    const caller = { kind: 'partner', partnerId: PARTNER_ID, clientId: 'client' }
    const request = { caller, params: { orderId: ORDER_ID }, body, now, log: context.log }
    return found.handle(request as unknown as Parameters<typeof found.handle>[0])
  }

/** Two replicas that read the chain, the job that expires orders, the partner that cancels, staff who send back. */
export const createCryptoOrderProcesses = (mutant: CryptoOrderMutant) =>
  createProcesses({
    watcherA: watcherBody('A', mutant),
    watcherB: watcherBody('B', mutant),
    expiry: (outside) => createExpiry(contextOf(outside), { links: LINKS })(),
    cancel: operationBody('cancel', undefined),
    sendBack: operationBody('refund', { to_address: SENT_BACK_TO }),
  })
