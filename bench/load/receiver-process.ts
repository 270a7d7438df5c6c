import { startChild, type Child } from '../parts/child.ts'

export type Expect = Readonly<{ events: number; withinMs: number }>
/**
 * Received deliveries: distinct events, all deliveries, the times of the first and the last (by `sharedNowMs`), and the age of
 * each event (only on request).
 */
export type Arrivals = Readonly<{
  events: number
  deliveries: number
  firstAtMs: number
  lastAtMs: number
  agesMs: readonly number[]
}>

/** A local receiver of webhooks. */
export type Receiver = Readonly<{
  child: Child
  url: string
  /** Resets the counts. */
  reset: (options?: Readonly<{ withAges: boolean }>) => Promise<void>
  /** @throws when fewer events arrive in time */
  until: (expect: Expect) => Promise<Arrivals>
}>

export const startReceiver = async (): Promise<Receiver> => {
  const child = await startChild(new URL('./receiver.ts', import.meta.url), null)
  return {
    child,
    url: `http://127.0.0.1:${String(child.ready)}`,
    async reset(options) {
      await child.ask(options?.withAges === true ? 'resetWithAges' : 'reset')
    },
    async until(expect) {
      const arrivals = (await child.ask(expect)) as Arrivals
      if (arrivals.events < expect.events)
        throw new Error(`${arrivals.events} of ${expect.events} events came within ${expect.withinMs} ms`)
      return arrivals
    },
  }
}
