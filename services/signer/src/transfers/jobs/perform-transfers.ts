import {
  isUniqueViolation,
  LEASE_MS,
  RENEW_EVERY_MS,
  startLoop,
  whileRenewing,
  type KeylessServiceContext,
  type Loop,
} from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import type { SigningNetworks } from '../../networks.ts'
import { createSteps, type StepOptions } from '../perform.ts'
import { claimDue, postpone, renewLeases } from '../store.ts'
import type { TransferRecord } from '../transfer.ts'

const BATCH = 20

type Options = Readonly<{
  networks: SigningNetworks
  /** Confirmations at which a transfer is done. */
  confirmations: Readonly<Record<Network, number>>
  everyMs: number
}> &
  Omit<StepOptions, 'confirmations' | 'againMs'>

/**
 * Performs the steps of transfers that are due, those of one network one after the other, under a lease that is renewed
 * meanwhile.
 * @returns whether there may be more
 */
export const createTransferSteps = (
  context: Pick<KeylessServiceContext, 'db' | 'clock' | 'log'>,
  { networks, confirmations, everyMs, ...options }: Options,
) => {
  const { db, clock, log } = context

  const performOne = async (transfer: TransferRecord, signal: AbortSignal): Promise<void> => {
    const { network } = transfer
    try {
      const transfers = networks.get(network)
      if (transfers === undefined)
        throw new Error(`${network} has no node here: set one, or complete the transfer elsewhere`)
      const depth = confirmations[network]
      const step = createSteps(context, { ...options, confirmations: depth, againMs: everyMs })
      await step(transfer, transfers, signal)
    } catch (error) {
      // Another one of the network was signed in the same moment and is sent first.
      if (!isUniqueViolation(error, 'transfers_unsent'))
        log.warn(
          { event: 'signer.step_failed', error, transferId: transfer.id, network },
          'A step of a transfer failed and is retried',
        )
    }
  }

  return async (signal: AbortSignal): Promise<boolean> => {
    const now = clock.now()
    let leaseUntil = new Date(now.getTime() + LEASE_MS)
    const due = await claimDue(db, { now, leaseUntil, limit: BATCH })
    const ids = due.map(({ id }) => id)
    const renew = async () => {
      const until = new Date(clock.nowMs() + LEASE_MS)
      await renewLeases(db, { ids, leaseUntil, until })
      leaseUntil = until
    }
    const performAll = async (transfers: readonly TransferRecord[]) => {
      for (const transfer of transfers) {
        if (signal.aborted) return
        await performOne(transfer, signal)
        // A step that moved the transfer has set when the next is due; one that did not left the lease.
        await postpone(db, { id: transfer.id, leaseUntil, dueAt: new Date(clock.nowMs() + everyMs) })
      }
    }
    if (due.length === 0) return false
    const byNetwork = Map.groupBy(due, ({ network }) => network)
    await whileRenewing(renew, log, () => Promise.all([...byNetwork.values()].map(performAll)))
    return due.length === BATCH
  }
}

/** Performs transfers until it is stopped. */
export const startTransferSteps = (context: KeylessServiceContext, options: Options): Loop =>
  startLoop({
    name: 'transfers',
    everyMs: Math.min(options.everyMs, RENEW_EVERY_MS),
    restMs: 0,
    log: context.log,
    run: createTransferSteps(context, options),
  })
