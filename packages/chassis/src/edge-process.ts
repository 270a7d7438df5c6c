import type { SenderName } from '@causeway/contracts'
import type { Bus } from './bus/connect.ts'
import { followServiceTime } from './bus/follow-time.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './log.ts'
import {
  openBus,
  prepareParts,
  serveBuilt,
  type Built,
  type ProcessConfig,
  type Running,
} from './process-parts.ts'

/** The connections of a process without a database. */
export type EdgeContext = Readonly<{
  bus: Bus
  clock: Clock
  log: Logger
  /** Factor of this process's timeouts. */
  timeoutFactor: number
}>

type EdgeOptions<B> = Readonly<{ name: SenderName; build: (context: EdgeContext) => Promise<B> }>

/**
 * Starts a process without a database: connects the bus, sets the clock by that of access, runs `build`, serves health;
 * and stops it in reverse.
 */
export const startEdgeProcess = async <B extends Built>(
  { name, build }: EdgeOptions<B>,
  config: ProcessConfig,
): Promise<Running & Readonly<{ built: B }>> => {
  const parts = await prepareParts(name, config)
  const { log, clock } = parts
  const { bus, close } = await openBus(parts, config)
  // The clock of a test is not corrected.
  const stopFollowing = config.clock ? () => undefined : await followServiceTime(bus, clock, log)
  const built = await build({ bus, clock, log, timeoutFactor: config.timeoutFactor ?? 1 })
  return serveBuilt(parts, built, config, async () => {
    stopFollowing()
    await close()
  })
}
