import type { DatabaseSync } from 'node:sqlite'
import { type Clock, connectBus, createLogger, leadSandboxClock } from '@causeway/chassis'
import { SandboxError } from '../http/answers.ts'
import { keepOffset } from './offset.ts'

/** What moves the time, of the sandbox itself and of every process of the platform. */
export type ClockHand = Readonly<{
  /** Joins the platform's bus, if the sandbox has one. */
  start: () => Promise<void>
  /** @throws SandboxError 409 when there is no platform on a bus, 503 when it cannot be reached */
  advance: (ms: number) => Promise<void>
  stop: () => Promise<void>
}>

/** The platform's bus, and how its server is verified. */
export type BusAddress = Readonly<{ url: string; tls?: Parameters<typeof connectBus>[0]['tls'] }>

type Joined = Readonly<{ advance: (ms: number) => Promise<void>; leave: () => Promise<void> }>

const join = async (
  { url, tls }: BusAddress,
  clock: Clock,
  remember: (offsetMs: number) => void,
): Promise<Joined> => {
  const log = createLogger({ service: 'sandbox', level: 'warn' })
  const bus = await connectBus({ url, tls, name: 'sandbox', log })
  const leading = leadSandboxClock({ bus, clock, log, remember })
  await bus.connection.flush()
  return {
    async advance(ms) {
      if (!bus.connected())
        throw new SandboxError(503, 'temporarily_unavailable', 'The bus is away: nothing was moved.')
      if (!(await leading.advance(ms)))
        throw new SandboxError(503, 'temporarily_unavailable', 'The time was moved, but not all read it yet.')
    },
    async leave() {
      leading.stop()
      await bus.close()
    },
  }
}

/** @param bus null: the sandbox is alone, and its time cannot be moved */
export const createClockHand = (options: {
  bus: BusAddress | null
  clock: Clock
  database: DatabaseSync
}): ClockHand => {
  const { bus, clock, database } = options
  const offset = keepOffset(database)
  clock.advance(offset.read())
  let joined: Joined | null = null
  return {
    async start() {
      if (bus !== null) joined = await join(bus, clock, offset.remember)
    },
    async advance(ms) {
      if (!joined)
        throw new SandboxError(
          409,
          'clock_not_followed',
          'No platform follows this clock: set SANDBOX_CLOCK=true and NATS_URL, as the local start does.',
        )
      await joined.advance(ms)
    },
    stop: async () => joined?.leave(),
  }
}
