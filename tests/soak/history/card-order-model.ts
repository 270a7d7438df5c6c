import type { SequentialModel } from './linearizable.ts'

/**
 * A call about one card order. A payment and a dispute are calls with an unknown outcome: the platform is notified some time
 * after they were made. A refund is one call from its key's first request to its first outcome. `count` is the order's
 * record of a refund if it may follow the response: payments may fail when the money is back already (docs/REFUNDS.md,
 * state `succeeded`).
 */
export type CardCall =
  | Readonly<{ op: 'pay' | 'dispute' }>
  | Readonly<{ op: 'count'; amountCents: number }>
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

type CardState = Readonly<{
  status: 'pending' | 'paid' | 'refunded' | 'chargeback'
  /** Amount that the processor refunded; below, the part that the order shows. */
  madeCents: number
  shownCents: number
}>

/**
 * A card order of which `maxCents` can be refunded (decisions §10, §11).
 * @param isShownLate the order shows a refund with its `count`; else with the refund itself
 */
export const cardOrderModel = (
  maxCents: number,
  isShownLate: boolean,
): SequentialModel<CardState, CardCall> => {
  const show = (state: CardState, amountCents: number): CardState => {
    const shownCents = state.shownCents + amountCents
    return { ...state, status: shownCents === maxCents ? 'refunded' : 'paid', shownCents }
  }
  const refund = (state: CardState, amountCents: number): CardState => {
    const made = { ...state, madeCents: state.madeCents + amountCents }
    return isShownLate ? made : show(made, amountCents)
  }
  return {
    initial: { status: 'pending', madeCents: 0, shownCents: 0 },
    step: (state, call) => {
      const remainingCents = maxCents - state.madeCents
      switch (call.op) {
        case 'pay':
          return [state.status === 'pending' ? { ...state, status: 'paid' } : state]
        case 'dispute':
          return [{ status: 'chargeback', madeCents: 0, shownCents: 0 }]
        case 'count':
          return state.status === 'paid' && state.shownCents + call.amountCents <= state.madeCents
            ? [show(state, call.amountCents)]
            : [state]
        case 'read':
          return call.status === state.status && call.refundedCents === state.shownCents ? [state] : []
        case 'refund': {
          const isAllowed = state.status === 'paid' && call.amountCents <= remainingCents
          if (call.saw === 'not paid') return state.status === 'paid' ? [] : [state]
          if (call.saw === 'too much')
            return call.remainingCents === remainingCents && !isAllowed ? [state] : []
          if (!isAllowed) return call.saw === 'unknown' ? [state] : []
          const after = refund(state, call.amountCents)
          if (call.saw === 'unknown') return [after]
          const isAsTold =
            call.refundedCents === after.madeCents && call.remainingCents === maxCents - after.madeCents
          return isAsTold ? [after] : []
        }
      }
    },
  }
}
