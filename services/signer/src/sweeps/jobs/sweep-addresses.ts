import { startLoop, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { NETWORK_ASSETS } from '@causeway/contracts'
import type { Payments } from '../../clients/payments.ts'
import type { SigningNetworks } from '../../networks.ts'
import { claimDueSweeps, insertSweeps, updateSweep } from '../store.ts'
import { moveSweep, pageOfSweep, type Sweep } from '../position.ts'
import { createSweeping } from '../sweep.ts'

/** After the death of a replica another one continues within this time. */
const LEASE_MS = 120_000

type Options = Readonly<{
  networks: SigningNetworks
  /** Where addresses are emptied to, by network. */
  sweepAddresses: Readonly<Partial<Record<Network, string>>>
  /** Pause between two rounds; null: on command only. */
  sweepEveryMs: number | null
  pollEveryMs: number
  payments: Payments
}>

/** Sweeps what is due, a page of addresses at a time. */
const createSweepRound = (context: KeylessServiceContext, options: Options) => {
  const { db, clock, log } = context
  const { networks, sweepAddresses, sweepEveryMs, pollEveryMs } = options
  const sweepPage = createSweeping(context, options.payments)
  const after = (ms: number) => new Date(clock.nowMs() + ms)

  const look = async (sweep: Sweep, signal: AbortSignal) => {
    const transfers = networks.get(sweep.network)
    const toAddress = sweepAddresses[sweep.network]
    if (transfers === undefined || toAddress === undefined) return { sweep, isOver: true }
    return moveSweep(sweep, await sweepPage(pageOfSweep(sweep), transfers, toAddress, signal))
  }
  const sweepOne = async (sweep: Sweep, leaseUntil: Date, signal: AbortSignal): Promise<void> => {
    const { network, asset } = sweep
    const keep = (position: Sweep, dueAt: Date | null) => updateSweep(db, { ...position, leaseUntil, dueAt })
    try {
      const moved = await look(sweep, signal)
      if (moved.isOver) await keep(moved.sweep, sweepEveryMs === null ? null : after(sweepEveryMs))
      else await keep(moved.sweep, after(moved.sweep === sweep ? pollEveryMs : 0))
    } catch (error) {
      log.warn(
        { event: 'signer.sweep_failed', error, network, asset },
        'Addresses could not be swept; the next run retries',
      )
      await keep(sweep, after(pollEveryMs))
    }
  }
  return async (signal: AbortSignal): Promise<void> => {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const due = await claimDueSweeps(db, { now, leaseUntil })
    for (const sweep of due) await sweepOne(sweep, leaseUntil, signal)
  }
}

/** Sweeps on schedule and on command; nothing where no address is set. */
export const startSweeps = async (context: KeylessServiceContext, options: Options): Promise<Loop> => {
  const { sweepAddresses, sweepEveryMs, pollEveryMs } = options
  const pairs = (Object.keys(sweepAddresses) as Network[]).flatMap((network) =>
    NETWORK_ASSETS[network].map((asset) => ({ network, asset })),
  )
  await insertSweeps(context.db, {
    networks: pairs.map(({ network }) => network),
    assets: pairs.map(({ asset }) => asset),
    dueAt: sweepEveryMs === null ? null : context.clock.now(),
  })
  return startLoop({
    name: 'sweeps',
    everyMs: pollEveryMs,
    restMs: 0,
    log: context.log,
    run: createSweepRound(context, options),
  })
}
