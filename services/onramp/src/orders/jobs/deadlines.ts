import { newId, startLoop, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import { invoiceOf, type Payments } from '../../clients/payments.ts'
import { extended, nextStep, timedOut, type Step } from '../deadlines.ts'
import { isOpened, type OpenedPurchase, type Purchase } from '../purchase.ts'
import { kycPending, statusChanged, type RampingEvent } from '../events.ts'

import { claimDue, deleteUnanswered, lockPurchase, postponeStep, updatePurchase } from '../store.ts'
import type { FinalCheck } from './final-check.ts'

const EVERY_MS = 500
const BATCH = 50
/** After this a purchase whose replica died is taken up by another. */
const LEASE_MS = 15_000
const RETRY_MS = 2_000
/** How long an invoice waits at least for the coins of a purchase that succeeded. */
const ARRIVAL_MS = 2 * 3_600_000

type Steps = Readonly<Record<Step, (purchase: Purchase) => Promise<Purchase | null>>>

const createSteps = (
  { db, clock }: KeylessServiceContext,
  payments: Payments,
  finalCheck: FinalCheck,
): Steps => {
  /** Records a step if it is still the next one. Null: another replica or a notice was faster. */
  const record = (
    purchase: Purchase,
    step: Step,
    change: (before: OpenedPurchase, now: Date, emit: (event: RampingEvent) => void) => OpenedPurchase,
  ) =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const found = await lockPurchase(tx, purchase)
      if (!found || !isOpened(found) || nextStep(found, now) !== step) return null
      const after = change(found, now, (event) => tx.emit(event))
      await updatePurchase(tx, after)
      return after
    })

  return {
    async ask(purchase) {
      const { pendingAction } = purchase
      const answer =
        pendingAction === 'release'
          ? payments.release(purchase, new Date(clock.nowMs() + ARRIVAL_MS))
          : payments.cancel(purchase, pendingAction === 'expire' ? 'ramping_kyc_timeout' : 'onramp_failed')
      await invoiceOf(answer)
      return record(purchase, 'ask', (before) => ({ ...before, pendingAction: null, dueAt: null }))
    },
    async extend(purchase) {
      const invoice = await invoiceOf(payments.extend(purchase))
      return record(purchase, 'extend', (before, now, emit) => {
        // An invoice that was paid or cancelled in the meantime has nothing to wait for.
        if (invoice?.status === 'pending')
          emit(kycPending({ eventId: newId('event'), purchase: before, now }))
        return extended(before, now)
      })
    },
    /** In this order: a crash in between leaves a purchase that asks again, never an invoice that is held by none. */
    async giveUp(purchase) {
      await invoiceOf(payments.release(purchase))
      await deleteUnanswered(db, purchase)
      return null
    },
    async end(purchase) {
      const ended = await finalCheck(purchase)
      if (ended) return ended
      return record(purchase, 'end', (before, now, emit) => {
        const after = timedOut(before, now)
        const told = { eventId: newId('event'), purchase: after, now, providerStatus: before.status }
        emit(statusChanged({ ...told, reason: 'kyc_timeout_72h' }))
        return after
      })
    },
  }
}

/**
 * Carries out what falls due: extends invoices, ends purchases at the hard cap, asks payments what is still to be
 * asked. Payments and the provider are asked outside of any transaction and may be asked twice; each event is told once,
 * in the transaction that records its step.
 */
export const startDeadlines = (
  context: KeylessServiceContext,
  payments: Payments,
  finalCheck: FinalCheck,
): Loop => {
  const { db, clock, log } = context
  const steps = createSteps(context, payments, finalCheck)

  const carryOut = async (claimed: Purchase): Promise<void> => {
    try {
      let purchase: Purchase | null = claimed
      for (let step = nextStep(claimed, clock.now()); purchase !== null && step !== null;) {
        purchase = await steps[step](purchase)
        step = purchase && nextStep(purchase, clock.now())
      }
    } catch (error) {
      log.warn({ error, onrampOrderId: claimed.id }, 'A deadline could not be carried out and is tried again')
      await postponeStep(db, { ...claimed, dueAt: new Date(clock.nowMs() + RETRY_MS) })
    }
  }

  return startLoop({
    name: 'onramp-deadlines',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async (signal) => {
      let taken = BATCH
      while (!signal.aborted && taken === BATCH) {
        const now = clock.now()
        const leaseUntil = new Date(now.getTime() + LEASE_MS)
        const claimed = await claimDue(db, { now, limit: BATCH, leaseUntil })
        await Promise.all(claimed.map(carryOut))
        taken = claimed.length
      }
    },
  })
}
