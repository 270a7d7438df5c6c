import { checkWithin, relay, newId, type EdgeContext } from '@causeway/chassis'
import { healthOf, REQUEST_SERVICES, type Caller } from '@causeway/contracts'

/** How long a result is cached. */
const CACHED_MS = 1_000
/** Timeout of each check. */
const TIMEOUT_MS = 1_000

/** Readiness of each part that the gateway depends on, and of all together. */
export type Readiness = Readonly<{ ready: boolean; parts: Readonly<Record<string, boolean>> }>

const CALLER_JSON = JSON.stringify({ kind: 'public' } satisfies Caller)

type ReadinessContext = Pick<EdgeContext, 'bus' | 'clock' | 'timeoutFactor'>

/** Checks the bus and every service, at most once a second however often it is called. */
export const createReadiness = ({ bus, clock, timeoutFactor }: ReadinessContext) => {
  const timeoutMs = TIMEOUT_MS * timeoutFactor
  let result: Promise<Readiness> | null = null
  let checkedMs = Number.NEGATIVE_INFINITY

  const checkService = async (service: (typeof REQUEST_SERVICES)[number]) => {
    const reply = await relay(bus, clock, healthOf(service).check.subject, {
      requestId: newId('request'),
      callerJson: CALLER_JSON,
      timeoutMs,
      safe: true,
    })
    return reply.ok
  }
  const checkAll = async (): Promise<Readiness> => {
    const parts = Object.fromEntries(
      await Promise.all(
        REQUEST_SERVICES.map(
          async (service) => [service, await checkWithin(checkService(service), timeoutMs)] as const,
        ),
      ),
    )
    const all = { bus: bus.connected(), ...parts }
    return { ready: Object.values(all).every(Boolean), parts: all }
  }
  return (): Promise<Readiness> => {
    if (result === null || performance.now() - checkedMs > CACHED_MS) {
      checkedMs = performance.now()
      result = checkAll()
    }
    return result
  }
}
export type GetReadiness = ReturnType<typeof createReadiness>
