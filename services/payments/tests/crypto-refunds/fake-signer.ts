import { createLogger, implement, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { signerRefunds, type Refusal, type SignerRefund } from '@causeway/contracts'
import type { z } from 'zod'
import type { SignerRequest } from '../../src/clients/signer.ts'
import type { RunningPayments } from '../running-payments.ts'

type Code = (typeof signerRefunds.create)['refusals'][number]
export type Said = Omit<SignerRefund, 'refund_id'>
type Estimated = z.output<(typeof signerRefunds.estimate)['reply']>

export const REQUESTED: Said = {
  status: 'requested',
  amount: null,
  network_fee: null,
  tx_id: null,
  failure: null,
}
export const SENT: Said = {
  ...REQUESTED,
  status: 'broadcast',
  amount: '0.0004',
  network_fee: '0.00001',
  tx_id: 'tx',
}
export const CHEAP: Estimated = {
  amount: '0.0004',
  network_fee: '0.00001',
  fee_asset: 'BTC',
  waits_for: null,
}

/** The signer as a test has it answer. */
export const serveSigner = ({ bus, clock }: RunningPayments) => {
  const signer = {
    /** Requests that it received. */
    asked: [] as SignerRequest[],
    /** Its response about every refund. */
    said: REQUESTED as Said | Refusal<Code>,
    /** Its estimate for every refund. */
    estimated: CHEAP as Estimated | Refusal<Code>,
    askedOf: (orderId: string) => signer.asked.filter(({ order_id }) => order_id === orderId),
  }
  serve(
    bus,
    implement(signerRefunds, {
      create: async ({ body }) => {
        signer.asked.push(body)
        const { said } = signer
        return 'ok' in said ? said : reply({ refund: { refund_id: body.refund_id, ...said } })
      },
      estimate: async () => ('ok' in signer.estimated ? signer.estimated : reply(signer.estimated)),
    }),
    {
      keys: testReceiverKeys(),
      service: 'signer',
      clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
  return signer
}
