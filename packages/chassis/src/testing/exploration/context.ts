import type { Clock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import type { ServiceContext } from '../../service-context.ts'
import type { Outside } from './processes.ts'

const log = createLogger({ service: 'test', level: 'silent' })

/** The time of a process is that at which it last heard anything. */
const clockOf = ({ nowMs }: Outside): Clock => ({
  nowMs,
  now: () => new Date(nowMs()),
  outsideMs: nowMs,
  advance: () => undefined,
  offsetMs: () => 0,
  onMoved: () => () => undefined,
  follow: () => undefined,
})

/** Creates a context for production code; parts that the exploration does not simulate are missing. */
export const contextOf = (outside: Outside): ServiceContext =>
  ({ db: outside.db, clock: clockOf(outside), log, timeoutFactor: 1 }) as unknown as ServiceContext
