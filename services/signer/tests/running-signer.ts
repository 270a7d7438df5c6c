import { call, createClock, createDb, createLogger, loadSettings, newId } from '@causeway/chassis'
import {
  eventually,
  TEST_DEADLINE_MS,
  TEST_TIMEOUT_FACTOR,
  testBus,
  testBusKeys,
  testDatabase,
  testNatsUrl,
} from '@causeway/chassis/testing'
import { approvals, signerRefunds } from '@causeway/contracts'
import { CONFIRMATION_DEPTHS, NODE_SETTINGS } from '@causeway/rails'
import { TRANSFER_SETTINGS } from '@causeway/rails/transfers'
import type { z } from 'zod'
import type { SignerConfig } from '../src/config.ts'
import { openNetworks, type SigningNetworks } from '../src/networks.ts'
import { startSigner } from '../src/service.ts'

export type RefundBody = z.input<(typeof signerRefunds.create)['body']>

/** The words whose keys everybody knows (BIP-39 test vectors). */
export const TEST_SEED = `${'abandon '.repeat(11)}about`
export const DEPTH = 3
const POLL_MS = 100

/** A request that its order's address, `address-<n>` on the fake chain, can pay. */
let orders = 0
export const newRefund = (change: Partial<RefundBody> = {}): RefundBody => {
  const index = (orders += 1)
  return {
    refund_id: newId('refund'),
    order_id: newId('cryptoOrder'),
    network: 'ETH',
    asset: 'ETH',
    key_index: index,
    address: `address-${index}`,
    to_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    amount: '0.5',
    coins: [],
    ...change,
  }
}

/** The signer on its own database, on networks that the test brings or those of its settings. */
export const startForTests = async (networks: SigningNetworks | null, change: Partial<SignerConfig> = {}) => {
  const database = await testDatabase('signer')
  const bus = await testBus()
  const clock = createClock()
  const log = createLogger({ service: 'test', level: 'silent' })
  const config: SignerConfig = {
    databaseUrl: database.url,
    natsUrl: testNatsUrl(),
    busKeys: testBusKeys('signer'),
    logLevel: 'silent',
    healthHost: '127.0.0.1',
    healthPort: 0,
    poolSize: 4,
    pipelinedConnections: 1,
    tracing: 'off',
    traceEndpoint: 'http://127.0.0.1:4318',
    checkReplies: true,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    seed: TEST_SEED,
    nodes: loadSettings({ ...NODE_SETTINGS, ...TRANSFER_SETTINGS }, {}),
    chainUrl: undefined,
    confirmations: { ...CONFIRMATION_DEPTHS, ETH: DEPTH, LTC: DEPTH, BTC: DEPTH },
    pollEveryMs: POLL_MS,
    sweepAddresses: {},
    sweepEveryMs: null,
    ...change,
  }
  const open: typeof openNetworks = networks === null ? openNetworks : () => Promise.resolve(networks)
  const service = await startSigner(config, open)
  const db = createDb({
    url: database.url,
    name: 'test',
    log,
    clock,
    poolSize: 2,
    pipelinedConnections: 1,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
  })
  const ask = { requestId: newId('request'), timeoutMs: TEST_DEADLINE_MS, safe: false }
  const approve = (orderId: string, toAddress: string) =>
    call(bus, clock, approvals.create, {
      ...ask,
      caller: { kind: 'operator', actor: 'staff' },
      params: { orderId },
      body: { to_address: toAddress },
    })
  const refund = (body: RefundBody) =>
    call(bus, clock, signerRefunds.create, { ...ask, caller: { kind: 'service', service: 'payments' }, body })
  return {
    bus,
    clock,
    db,
    databaseUrl: database.url,
    config,
    ask,
    approve,
    refund,
    /** Staff approve of a refund, and payments asks for it. */
    request: async (body: RefundBody) => {
      await approve(body.order_id, body.to_address)
      return refund(body)
    },
    /** Waits until asking for the same refund again answers with this status. */
    becomes: (body: RefundBody, status: string) =>
      eventually(async () => {
        const answer = await refund(body)
        if (answer.ok && answer.value.refund.status === status) return answer.value.refund
        throw new Error(`Not ${status}: ${JSON.stringify(answer)}`)
      }),
    async stop() {
      await service.stop()
      await db.close()
      await bus.close()
      await database.drop()
    },
  }
}
export type RunningSigner = Awaited<ReturnType<typeof startForTests>>
