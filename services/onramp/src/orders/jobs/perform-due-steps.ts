import { newIdAt, startLoop, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import { cryptoOrderOf, type OnrampHolds, type ReleaseTerms } from '../../clients/payments.ts'
import { expired, extended, letGo, nextStep, type Step } from '../deadlines.ts'
import { kycPending, statusChanged, type RampingEvent } from '../events.ts'
import type { FinalCheck } from '../final-check.ts'
import { isOpened, letGoAtOf, type OpenedPurchase, type Purchase } from '../purchase.ts'
import { abandonPurchase } from '../abandon-purchase.ts'
import { claimDue, deleteAbandoned, lockPurchase, postponeStep, updatePurchase } from '../store.ts'

const EVERY_MS = 500
const BATCH = 50
/** After the death of a replica another one claims its purchases within this time. */
const LEASE_MS = 15_000
const RETRY_MS = 2_000
/** How long a crypto order waits at least for the coins of a purchase that succeeded. */
const ARRIVAL_MS = 2 * 3_600_000

type Steps = Readonly<Record<Step, (purchase: Purchase) => Promise<Purchase | null>>>
type Dependencies = Readonly<{ holds: OnrampHolds; finalCheck: FinalCheck }>

/** A success waits for its coins; a failure takes back what its crypto order was extended by. */
const releaseTermsOf = ({ outcome, extendedAt, cryptoOrderExpiresAt }: Purchase, now: Date): ReleaseTerms => {
  if (outcome === 'success') return { keepUntil: new Date(now.getTime() + ARRIVAL_MS) }
  return extendedAt === null ? {} : { expiresAt: cryptoOrderExpiresAt }
}

const createSteps = (
  { db, clock }: Pick<KeylessServiceContext, 'db' | 'clock'>,
  { holds, finalCheck }: Dependencies,
): Steps => {
  /** Records a step if it is still the next one; null when another replica or a notice was faster. */
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
    async act(purchase) {
      const { pendingAction } = purchase
      const answer =
        pendingAction === 'release'
          ? holds.release(purchase, releaseTermsOf(purchase, clock.now()))
          : holds.cancelOrder(purchase, pendingAction === 'expire' ? 'ramping_kyc_timeout' : 'onramp_failed')
      await cryptoOrderOf(answer)
      return record(purchase, 'act', (before) => ({
        ...before,
        pendingAction: null,
        dueAt: before.outcome === null ? before.capAt : null,
      }))
    },
    async extend(purchase) {
      const cryptoOrder = await cryptoOrderOf(holds.extend(purchase))
      return record(purchase, 'extend', (before, now, emit) => {
        // A crypto order that was paid or cancelled in the meantime waits for nothing.
        if (cryptoOrder?.status === 'pending')
          emit(kycPending({ eventId: newIdAt('event', now.getTime()), purchase: before, now }))
        return extended(before, now)
      })
    },
    letGo: async (purchase) =>
      (await finalCheck(purchase, letGoAtOf(purchase))) ?? record(purchase, 'letGo', letGo),
    async abandon(purchase) {
      await abandonPurchase({ db, holds }, purchase, clock.now())
      return null
    },
    /** Releases before it deletes: a crash in between leaves a purchase that releases again, and no hold without one. */
    async delete(purchase) {
      await cryptoOrderOf(holds.release(purchase))
      await deleteAbandoned(db, purchase)
      return null
    },
    async expire(purchase) {
      const ended = await finalCheck(purchase, purchase.capAt)
      if (ended) return ended
      return record(purchase, 'expire', (before, now, emit) => {
        const after = expired(before, now)
        const emission = {
          eventId: newIdAt('event', now.getTime()),
          purchase: after,
          now,
          providerStatus: before.status,
        }
        emit(statusChanged({ ...emission, reason: 'kyc_timeout_72h' }))
        return after
      })
    },
  }
}

/**
 * Performs the steps of a batch that fell due: extends the holds of open purchases, expires purchases at the hard cap,
 * performs pending actions at payments. Payments and the provider are asked outside of any transaction and may be asked
 * twice; each event is emitted once, in the transaction that records its step.
 * @returns whether there may be more
 */
export const createDueSteps = (
  context: Pick<KeylessServiceContext, 'db' | 'clock' | 'log'>,
  dependencies: Dependencies,
): (() => Promise<boolean>) => {
  const { db, clock, log } = context
  const steps = createSteps(context, dependencies)

  const perform = async (claimed: Purchase): Promise<void> => {
    try {
      let purchase: Purchase | null = claimed
      for (let step = nextStep(claimed, clock.now()); purchase !== null && step !== null;) {
        purchase = await steps[step](purchase)
        step = purchase && nextStep(purchase, clock.now())
      }
    } catch (error) {
      log.warn(
        { event: 'onramp.step_failed', error, onrampOrderId: claimed.id },
        'Due step of an onramp order failed and is retried',
      )
      await postponeStep(db, { ...claimed, dueAt: new Date(clock.nowMs() + RETRY_MS) })
    }
  }

  return async () => {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const claimed = await claimDue(db, { now, limit: BATCH, leaseUntil })
    await Promise.all(claimed.map(perform))
    return claimed.length === BATCH
  }
}

/** Performs the steps that fall due, a batch at a time. */
export const startDueSteps = (context: KeylessServiceContext, dependencies: Dependencies): Loop =>
  startLoop({
    name: 'onramp-deadlines',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: createDueSteps(context, dependencies),
  })
