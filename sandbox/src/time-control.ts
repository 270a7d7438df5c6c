import type { DatabaseSync } from 'node:sqlite'
import { type Clock, connectBus, type Logger } from '@causeway/chassis'
import { leadSandboxClock } from '@causeway/chassis/sandbox-clock'
import { z } from 'zod'
import { SandboxError } from './http/answers.ts'

/** Controls simulated time: the clock of the sandbox and of every process of the platform. */
export type TimeControl = Readonly<{
  /** Connects to the platform's bus, if one is configured. */
  start: () => Promise<void>
  /** @throws SandboxError 409 when no bus is configured, 503 when it cannot be reached or a process lags behind */
  advance: (ms: number) => Promise<void>
  stop: () => Promise<void>
}>

/** The URL of the platform's bus and its TLS settings. */
export type BusAddress = Readonly<{ url: string; tls?: Parameters<typeof connectBus>[0]['tls'] }>

type ClockLeader = Readonly<{ advance: (ms: number) => Promise<void>; stop: () => Promise<void> }>

const lead = async (
  { url, tls }: BusAddress,
  { clock, log, save }: { clock: Clock; log: Logger; save: (offsetMs: number) => void },
): Promise<ClockLeader> => {
  const bus = await connectBus({ url, tls, name: 'sandbox', log })
  const leader = leadSandboxClock({ bus, clock, log, remember: save })
  await bus.connection.flush()
  return {
    async advance(ms) {
      if (!bus.connected())
        throw new SandboxError(
          503,
          'temporarily_unavailable',
          'The bus is unavailable: the time was not moved.',
        )
      if (!(await leader.advance(ms)))
        throw new SandboxError(
          503,
          'temporarily_unavailable',
          'The time was moved, but not all processes read it yet.',
        )
    },
    async stop() {
      leader.stop()
      await bus.close()
    },
  }
}

const Row = z.object({ offsetMs: z.number() }).optional()

/** Stores the offset of simulated time, so that it survives restarts of the sandbox. */
const createOffsetStore = (database: DatabaseSync) => {
  database.exec(
    'CREATE TABLE IF NOT EXISTS clock (only_row INTEGER PRIMARY KEY, offset_ms INTEGER NOT NULL) STRICT',
  )
  const select = database.prepare('SELECT offset_ms AS offsetMs FROM clock')
  const upsert = database.prepare(
    'INSERT INTO clock VALUES (1, ?) ON CONFLICT (only_row) DO UPDATE SET offset_ms = excluded.offset_ms',
  )
  return {
    get: (): number => Row.parse(select.get())?.offsetMs ?? 0,
    save: (offsetMs: number): void => void upsert.run(offsetMs),
  }
}

/** @param bus null: the sandbox runs without a platform, and time cannot be advanced */
export const createTimeControl = (options: {
  bus: BusAddress | null
  clock: Clock
  log: Logger
  database: DatabaseSync
}): TimeControl => {
  const { bus, clock, log, database } = options
  const offsets = createOffsetStore(database)
  clock.advance(offsets.get())
  let leader: ClockLeader | null = null
  return {
    async start() {
      if (bus !== null) leader = await lead(bus, { clock, log, save: offsets.save })
    },
    async advance(ms) {
      if (!leader)
        throw new SandboxError(
          409,
          'clock_not_followed',
          'No platform follows this clock: set SANDBOX_CLOCK=true and NATS_URL, as the local start does.',
        )
      await leader.advance(ms)
    },
    stop: async () => leader?.stop(),
  }
}
