import {
  fingerprintOf,
  isUniqueViolation,
  KEY_CONSTRAINT,
  keyClaimOf,
  newId,
  NotDoneError,
  resumeKey,
  type Claim,
  type KeyClaim,
  type KeyUse,
  type ServiceContext,
  type OperationRequest,
} from '@causeway/chassis'
import { refunds, type RefundAnswer } from '@causeway/contracts'
import { sealDescription } from './descriptions.ts'
import type { RefundRecord } from './refund.ts'
import { claimSlot } from './store.ts'

/** A refund that a partner requests, or that staff request for it. */
export type CreateRequest = Pick<
  OperationRequest<typeof refunds.create>,
  'caller' | 'params' | 'body' | 'idempotencyKey' | 'requestId' | 'deadlineMs' | 'now'
> &
  Readonly<{ isByStaff: boolean }>

/** A refund of this process that ends wakes the next one; one of another replica is only seen by asking again. */
const FIRST_PAUSE_MS = 60
const LONGEST_PAUSE_MS = 480
/** Time that a refund needs after the order's slot is free. */
const RESERVE_MS = 500

/** The new refund of a call that has claimed its key and the slot. */
type Held = Readonly<{ recorded: string; refund: RefundRecord }>
export type SlotClaim = Claim<RefundAnswer, never, Held>

const useOf = (request: CreateRequest): KeyUse => ({
  partnerId: request.caller.partnerId,
  operation: refunds.create.subject,
  key: request.idempotencyKey ?? '',
  fingerprint: fingerprintOf(request.params, request.body),
  requestId: request.requestId,
  now: request.now,
})

const orderOf = ({ caller, params }: CreateRequest): string => `${caller.partnerId} ${params.orderKey}`

/** Calls of this process that wait for an order's slot, first come first. */
const createSlotWaiting = () => {
  const waiting = new Map<string, Set<() => void>>()
  return {
    /** Resolves when it is the call's turn to ask again, after `forMs` at the latest. */
    wait: (order: string, forMs: number): Promise<void> =>
      new Promise((resolve) => {
        const calls = waiting.get(order) ?? new Set()
        const end = () => {
          clearTimeout(timer)
          calls.delete(end)
          if (calls.size === 0) waiting.delete(order)
          resolve()
        }
        const timer = setTimeout(end, forMs)
        waiting.set(order, calls.add(end))
      }),
    /** Gives the turn to the call that has waited longest. */
    wake(order: string): void {
      const [first] = waiting.get(order) ?? []
      first?.()
    },
  }
}

/**
 * Claims the key and the order's one slot together, or gives the outcome of an earlier call under the key. A second key
 * waits for the slot: what is refunded in the meantime counts against its ceiling.
 * @throws NotDoneError when the slot is not free 500 ms before the caller's deadline
 */
export const createSlotClaim = (
  { clock, db, vault }: Pick<ServiceContext, 'clock' | 'db' | 'vault'>,
  options: Readonly<{ graceMs: number; wakeCompletion: () => void }>,
) => {
  const { graceMs, wakeCompletion } = options
  const waiting = createSlotWaiting()
  /** Null while another refund has the slot, or another call the key. */
  const hold = async ({ body, params }: CreateRequest, key: KeyClaim): Promise<Held | null> => {
    const recorded = newId('refund')
    const createdAt = clock.now()
    try {
      const refund = await claimSlot(db, {
        ...key,
        recorded,
        orderKey: params.orderKey,
        amountCents: body.amount_cents,
        descriptionSealed: sealDescription(vault, recorded, body.description ?? null),
        orderLines: body.order_lines ? JSON.stringify(body.order_lines) : null,
        createdAt,
        dueAt: new Date(createdAt.getTime() + graceMs),
      })
      return refund && { recorded, refund }
    } catch (error) {
      if (isUniqueViolation(error, KEY_CONSTRAINT)) return null
      throw error
    }
  }
  return {
    claim: async (request: CreateRequest): Promise<SlotClaim> => {
      const { deadlineMs } = request
      const use = useOf(request)
      const bounds = { leaseMs: graceMs, deadlineMs, clock }
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        const key = keyClaimOf(use, bounds)
        const held = await hold(request, key)
        if (held) return { kind: 'claimed', leaseUntil: key.leaseUntil, ...held }
        const known = await resumeKey<RefundAnswer>(db, use, bounds)
        if (known) return known
        wakeCompletion()
        if (clock.outsideMs() > deadlineMs - RESERVE_MS)
          throw new NotDoneError('Another refund of the order is in progress')
        await waiting.wait(orderOf(request), pauseMs * (0.5 + Math.random()))
      }
    },
    /** Wakes the next call of this process that waits for the order's slot. */
    released: (request: CreateRequest): void => waiting.wake(orderOf(request)),
  }
}
