import { setTimeout as delay } from 'node:timers/promises'
import { createBackoff } from './backoff.ts'
import type { RunningProcess } from './node-process.ts'

/** A process of the platform that is restarted when it dies. */
export type Supervised = {
  name: string
  /** Process id of the present run; null between two runs. */
  readonly pid: number | null
  /** Port of its health endpoint, or of the server itself. */
  readonly port: number | null
  kill: (signal: NodeJS.Signals) => void
  /** Stops it gracefully and starts it again. */
  restart: () => Promise<void>
  /** Resolves when a run is ready: immediately if one is; after a fatal signal, when the next one is. */
  whenReady: () => Promise<void>
  stop: () => Promise<void>
}

type Options = { name: string; start: () => Promise<RunningProcess>; log: (line: string) => void }

const DEADLY: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGABRT']

/** A gate that is open while a run is ready. */
const createGate = () => {
  let open = false
  let waiting: (() => void)[] = []
  return {
    passed: (): Promise<void> => (open ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    open: () => {
      open = true
      for (const resolve of waiting) resolve()
      waiting = []
    },
    close: () => {
      open = false
    },
  }
}

/**
 * Starts a process, and restarts it with exponential backoff whenever it ends unexpectedly.
 *
 * @throws what the first start throws
 */
export const supervise = async ({ name, start, log }: Options): Promise<Supervised> => {
  const backoff = createBackoff()
  const gate = createGate()
  const stopping = new AbortController()
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  let run: RunningProcess | null = await start()
  let restarting = false
  gate.open()

  const startAgain = async (livedMs: number, end: string): Promise<RunningProcess | null> => {
    for (let reason = `ended (${end})`; !stopping.signal.aborted; livedMs = 0) {
      if (!restarting) {
        const waitMs = backoff(livedMs)
        log(`${name} ${reason}, started again in ${waitMs} ms`)
        await pause(waitMs)
      }
      restarting = false
      try {
        return await start()
      } catch (error) {
        reason = `does not start (${(error as Error).message})`
      }
    }
    return null
  }

  const watch = async (): Promise<void> => {
    while (run !== null) {
      const startedAt = Date.now()
      const end = await run.exited
      run = null
      gate.close()
      run = await startAgain(Date.now() - startedAt, end)
      if (stopping.signal.aborted) await run?.stop()
      gate.open()
    }
  }
  const watching = watch()

  return {
    name,
    get pid() {
      return run?.pid ?? null
    },
    get port() {
      return run?.port ?? null
    },
    kill: (signal) => {
      if (DEADLY.includes(signal)) gate.close()
      run?.kill(signal)
    },
    restart: async () => {
      await gate.passed()
      restarting = true
      gate.close()
      await run?.stop()
      await gate.passed()
    },
    whenReady: () => gate.passed(),
    stop: async () => {
      stopping.abort()
      await run?.stop()
      await watching
    },
  }
}
