import { startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import type { AskSigner } from '../ask-signer.ts'
import { claimDueRefunds } from '../signed-refund-store.ts'

const EVERY_MS = 1_000
const BATCH = 20
/** After the death of a replica another one asks for its refunds within this time. */
const LEASE_MS = 15_000

/** Asks the signer how far the refunds under way are. @returns whether there may be more */
export const createRefundFollowing =
  ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>, askSigner: AskSigner) =>
  async (): Promise<boolean> => {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const due = await claimDueRefunds(db, { now, leaseUntil, limit: BATCH })
    await Promise.all(
      due.map((refund) =>
        askSigner(refund).catch((error: unknown) =>
          log.warn(
            { event: 'crypto_refund.step_failed', error, refundId: refund.id },
            'A refund could not be followed; it is retried',
          ),
        ),
      ),
    )
    return due.length === BATCH
  }

export const startRefundFollowing = (context: ServiceContext, askSigner: AskSigner): Loop =>
  startLoop({
    name: 'crypto-refunds',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: createRefundFollowing(context, askSigner),
  })
