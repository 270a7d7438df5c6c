import { relay, newId, type ProcessContext } from '@causeway/chassis'
import { healthOf, SERVICES, type Caller } from '@causeway/contracts'

/** How long an answer about readiness holds. */
const FRESH_MS = 1_000
/** How long anything behind the gateway may take to say that it is ready. */
const PATIENCE_MS = 1_000

/** What the gateway needs, and whether it answers. */
export type Readiness = Readonly<{ ready: boolean; parts: Readonly<Record<string, boolean>> }>

const CALLER_JSON = JSON.stringify({ kind: 'public' } satisfies Caller)

const within = async (work: Promise<boolean>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([work.catch(() => false), late])
  } finally {
    clearTimeout(timer)
  }
}

type ReadinessContext = Pick<ProcessContext, 'db' | 'bus' | 'clock' | 'timeoutFactor'>

/** Asks the database, the bus and every service at most once a second, whoever asks how often. */
export const createReadiness = ({ db, bus, clock, timeoutFactor }: ReadinessContext) => {
  const timeoutMs = PATIENCE_MS * timeoutFactor
  let answer: Promise<Readiness> | null = null
  let askedMs = Number.NEGATIVE_INFINITY

  const askService = async (service: (typeof SERVICES)[number]) => {
    const reply = await relay(bus, clock, healthOf(service).check.subject, {
      requestId: newId('request'),
      callerJson: CALLER_JSON,
      timeoutMs,
      safe: true,
    })
    return reply.ok
  }
  const ask = async (): Promise<Readiness> => {
    const parts = Object.fromEntries(
      await Promise.all([
        within(
          db.ping().then(() => true),
          timeoutMs,
        ).then((up) => ['database', up] as const),
        ...SERVICES.map(async (service) => [service, await within(askService(service), timeoutMs)] as const),
      ]),
    )
    const all = { bus: bus.connected(), ...parts }
    return { ready: Object.values(all).every(Boolean), parts: all }
  }
  return (): Promise<Readiness> => {
    if (answer === null || performance.now() - askedMs > FRESH_MS) {
      askedMs = performance.now()
      answer = ask()
    }
    return answer
  }
}
export type GetReadiness = ReturnType<typeof createReadiness>
