import type { Run } from '../measure/rounds.ts'
import { startChild, type Child } from '../parts/child.ts'

export type LoadOrder = Readonly<{
  connections: number
  durationMs: number
  /** Bound of requests per second, evenly spaced; absent: closed loop. */
  perSecond?: number | undefined
}>
export type LoadResult = Required<Run> & Readonly<{ statuses: Readonly<Record<string, number>> }>

/** A load generator against one port. */
export type Generator = Readonly<{
  child: Child
  /** @throws when an answer was not a success: a benchmark of refusals measures nothing */
  load: (order: LoadOrder) => Promise<LoadResult>
}>

export const startGenerator = async (port: number, requests: readonly string[]): Promise<Generator> => {
  const child = await startChild(new URL('./generator.ts', import.meta.url), { port, requests })
  return {
    child,
    async load(order) {
      const result = (await child.ask(order)) as LoadResult
      const bad = Object.keys(result.statuses).filter((status) => !status.startsWith('2'))
      if (bad.length > 0) throw new Error(`Answers under load: ${JSON.stringify(result.statuses)}`)
      return result
    },
  }
}
