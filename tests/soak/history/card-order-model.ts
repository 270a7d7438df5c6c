import type { SequentialModel } from './linearizable.ts'

/**
 * A call about one card order. A payment and a dispute are calls with an unknown outcome: the platform is told of them
 * some time after they were made. A refund is one call from its key's first request to its first outcome.
 */
export type CardCall =
  | Readonly<{ op: 'pay' | 'dispute' }>
  | Readonly<{ op: 'read'; status: string; refundedCents: number }>
  | Readonly<{
      op: 'refund'
      amountCents: number
      saw: 'made'
      refundedCents: number
      remainingCents: number
    }>
  | Readonly<{ op: 'refund'; amountCents: number; saw: 'not paid' }>
  | Readonly<{ op: 'refund'; amountCents: number; saw: 'unknown' }>
  | Readonly<{ op: 'refund'; amountCents: number; saw: 'too much'; remainingCents: number }>

type CardState = Readonly<{ status: 'pending' | 'paid' | 'refunded' | 'chargeback'; refundedCents: number }>

/** A card order of which `maxCents` can be refunded (decisions §10, §11). */
export const cardOrderModel = (maxCents: number): SequentialModel<CardState, CardCall> => {
  const refunded = ({ refundedCents }: CardState, amountCents: number): CardState => {
    const cents = refundedCents + amountCents
    return { status: cents === maxCents ? 'refunded' : 'paid', refundedCents: cents }
  }
  return {
    initial: { status: 'pending', refundedCents: 0 },
    step: (state, call) => {
      const remainingCents = maxCents - state.refundedCents
      switch (call.op) {
        case 'pay':
          return [state.status === 'pending' ? { ...state, status: 'paid' } : state]
        case 'dispute':
          return [{ status: 'chargeback', refundedCents: 0 }]
        case 'read':
          return call.status === state.status && call.refundedCents === state.refundedCents ? [state] : []
        case 'refund': {
          const isAllowed = state.status === 'paid' && call.amountCents <= remainingCents
          if (call.saw === 'not paid') return state.status === 'paid' ? [] : [state]
          if (call.saw === 'too much')
            return call.remainingCents === remainingCents && !isAllowed ? [state] : []
          if (!isAllowed) return call.saw === 'unknown' ? [state] : []
          const after = refunded(state, call.amountCents)
          if (call.saw === 'unknown') return [after]
          const isAsTold =
            call.refundedCents === after.refundedCents &&
            call.remainingCents === maxCents - after.refundedCents
          return isAsTold ? [after] : []
        }
      }
    },
  }
}
