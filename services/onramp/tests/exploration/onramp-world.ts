import {
  answered,
  failed,
  type Reaction,
  type Request,
  type SystemState,
} from '@causeway/chassis/exploration'
import type { OnrampStatus } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import type { OpenedOrder } from '@causeway/rails/onramps'

type Reported = Readonly<{ status: OnrampStatus; changedMs: number }>

/** The provider, and the crypto order at payments. */
export type OnrampWorld = Readonly<{
  atProvider: Reported | null
  /** Notices that are on their way. */
  notices: readonly Reported[]
  order: 'pending' | 'cancelled'
  /** The purchase that holds the crypto order. */
  heldBy: string | null
  begun: readonly string[]
  ticks: number
}>
export type OnrampState = SystemState<OnrampWorld>

const opened = ({ status, changedMs }: Reported): OpenedOrder => ({
  onrampOrderId: null,
  providerOrderId: 'at-provider',
  status,
  changedAt: new Date(changedMs),
  checkoutUrl: 'https://provider.example/buy',
  orderStatusUrl: null,
  orderType: 'buy',
  fiatAmount: '30.00',
  cryptoAmount: '0.0005',
  transactionHash: null,
})

/** Steps of the provider alone: the purchase succeeds or fails, independent of the platform. */
export const providerSteps = (
  world: OnrampWorld,
  outcomes: readonly ('completed' | 'cancelled')[],
  nowMs: number,
) =>
  world.atProvider?.status === 'waitingPayment'
    ? outcomes.map((status) => {
        const atProvider = { status, changedMs: nowMs }
        const notices = [...world.notices, atProvider]
        return { name: `the provider's order is ${status}`, world: { ...world, atProvider, notices } }
      })
    : []

const providerReactions = (does: string, { world, nowMs }: OnrampState): Reaction<OnrampWorld>[] => {
  if (does === 'notify')
    return world.notices.flatMap((notice, at) => {
      const others = world.notices.filter((_, each) => each !== at)
      const answer = answered(opened(notice))
      const name = `a notice of ${notice.status} arrives`
      return [
        { name, world: { ...world, notices: others }, answer },
        { name: `${name}, and will once more`, world, answer, isFault: true },
      ]
    })
  const lost = (failure: 'timeout' | 'unreachable' | 'unavailable', name: string, next: OnrampWorld) => ({
    name,
    world: next,
    answer: failed(new RailError(failure, failure)),
    isFault: true,
  })
  const atProvider: Reported = world.atProvider ?? { status: 'waitingPayment', changedMs: nowMs }
  const made = { ...world, atProvider }
  const answers = [
    { name: `the provider answers ${does}`, world: made, answer: answered(opened(atProvider)) },
    lost('timeout', `the provider's answer to ${does} is lost`, made),
  ]
  if (does === 'readOrder') return answers
  return [
    ...answers,
    lost('unreachable', 'the provider cannot be reached', world),
    lost('unavailable', 'the provider answers 500 and creates nothing', world),
  ]
}

const changed = (does: string, purchaseId: string, world: OnrampWorld): OnrampWorld => {
  if (world.order !== 'pending') return world
  if (does === 'hold' || does === 'take over the hold') return { ...world, heldBy: purchaseId }
  if (world.heldBy !== purchaseId || does === 'extend') return world
  return does === 'release' ? { ...world, heldBy: null } : { ...world, order: 'cancelled' }
}

const paymentsReactions = (
  does: string,
  purchaseId: string,
  { world }: OnrampState,
): Reaction<OnrampWorld>[] => {
  const away = answered({ ok: false, code: 'temporarily_unavailable' })
  if (does === 'hold' && world.order !== 'pending')
    return [
      { name: 'payments refuses the hold', world, answer: answered({ ok: false, code: 'invalid_state' }) },
    ]
  if (does === 'hold' && world.heldBy !== null && world.heldBy !== purchaseId)
    return [{ name: 'payments refuses the hold, which is another’s', world, answer: away }]
  const next = changed(does, purchaseId, world)
  const answer = answered({ ok: true, value: { order: { status: next.order } } })
  return [
    { name: `payments does ${does}`, world: next, answer },
    { name: `payments does ${does}, its answer is lost`, world: next, answer: away, isFault: true },
    { name: `payments cannot be reached for ${does}`, world, answer: away, isFault: true },
  ]
}

export const reactions = (
  { to, does, args }: Request,
  state: OnrampState,
): readonly Reaction<OnrampWorld>[] =>
  to === 'provider' ? providerReactions(does, state) : paymentsReactions(does, args as string, state)
