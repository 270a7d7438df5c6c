import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '@causeway/dev-env/platform/platform'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import type { Buyers } from './buyers.ts'

export type Disturbance = Readonly<{
  /** Text of the button. */
  text: string
  /** Returns a sentence that says what was done. */
  begin: () => Promise<string>
}>

/** Notices that the lying processor sends for each change, how late, and for how long. */
const LIE = { copies: 3, delay_ms: 1_500 }
const HONEST = { copies: 1, delay_ms: 0 }
const LIES_FOR_MS = 10_000
const UNASKED_REFUNDS = 3
const UNASKED_REFUND_CENTS = 100

const BLOCKS = 3
/** After so long the transactions of the blocks that were taken back are in a block again. */
const MINED_AGAIN_AFTER_MS = 3_000

type Disturbed = Readonly<{
  platform: Pick<Platform, 'processes' | 'postgres' | 'nats'>
  sandbox: RawClient
  buyers: Buyers
  /** Aborted at the end of the demo, which ends disturbances early. */
  ending: AbortSignal
}>

const lie = async ({ sandbox, buyers, ending }: Disturbed): Promise<string> => {
  await sandbox.put('/control/card-notices', LIE)
  const orders = buyers.newestCardOrders().slice(-UNASKED_REFUNDS)
  for (const orderKey of orders)
    await sandbox.post(`/control/card-refunds/${orderKey}`, { amount_cents: UNASKED_REFUND_CENTS })
  void delay(LIES_FOR_MS, undefined, { signal: ending })
    .catch(() => undefined)
    .then(() => sandbox.put('/control/card-notices', HONEST))
  return `For ${LIES_FOR_MS / 1_000} s the processor sends every notice ${LIE.copies} times and late; it refunded ${orders.length} payments that nobody asked it to refund.`
}

const takeBackBlocks = async ({ sandbox, buyers, ending }: Disturbed): Promise<string> => {
  const answer = await sandbox.post('/control/chain/reorganise', { network: 'ETH', blocks: BLOCKS })
  const { deposits } = answer.body as unknown as { deposits: unknown[] }
  const orders = [...buyers.newestCryptoOrders()].slice(-deposits.length)
  void delay(MINED_AGAIN_AFTER_MS, undefined, { signal: ending })
    .catch(() => undefined)
    .then(async () => {
      for (const orderId of deposits.length === 0 ? [] : orders)
        await sandbox.post('/control/confirmations', { order_id: orderId, confirmations: 1 })
    })
  return `The chain took back ${BLOCKS} blocks with ${deposits.length} payments. Their transactions are mined again after ${MINED_AGAIN_AFTER_MS / 1_000} s.`
}

/** A disturbance for each button of the page, by the button's name. */
export const disturbancesOf = (disturbed: Disturbed): Readonly<Record<string, Disturbance>> => {
  const { platform } = disturbed
  const kill = (
    text: string,
    process: Pick<Platform['processes']['ledger'], 'kill'> | null,
    what: string,
  ) => ({
    text,
    begin: () => {
      process?.kill('SIGKILL')
      return Promise.resolve(`${what} was killed with SIGKILL. It is started again.`)
    },
  })
  return {
    'kill-payments': kill('Kill payments', platform.processes.payments, 'Payments'),
    'kill-ledger': kill('Kill the ledger', platform.processes.ledger, 'The ledger'),
    'kill-nats': kill('Kill NATS', platform.nats, 'NATS'),
    'kill-postgres': kill('Kill PostgreSQL', platform.postgres, 'PostgreSQL'),
    lie: { text: 'Let the processor lie', begin: () => lie(disturbed) },
    reorganise: { text: 'Take back three blocks', begin: () => takeBackBlocks(disturbed) },
  }
}
