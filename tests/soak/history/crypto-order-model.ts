import type { SequentialModel } from './linearizable.ts'

/**
 * A call about one crypto order. A deposit is a call with an unknown outcome: the platform counts it some time after it
 * was made.
 */
export type CryptoCall =
  | Readonly<{ op: 'deposit' }>
  | Readonly<{ op: 'read'; status: string }>
  | Readonly<{ op: 'cancel'; saw: 'done' | 'not pending' | 'unknown' }>

/** A crypto order whose payer sends all that is due, once (decisions §9). */
export const cryptoOrderModel: SequentialModel<string, CryptoCall> = {
  initial: 'pending',
  step: (status, call) => {
    if (call.op === 'read') return call.status === status ? [status] : []
    const isPending = status === 'pending'
    if (call.op === 'deposit') return [isPending ? 'paid' : status]
    if (call.saw === 'not pending') return isPending ? [] : [status]
    return isPending ? ['cancelled'] : call.saw === 'unknown' ? [status] : []
  },
}
