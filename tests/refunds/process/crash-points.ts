/**
 * Loaded ahead of a service's own code (`--import`): gives Node the instrumented modules in place of those on disk,
 * and holds the first call that reaches an armed crash point. Held, the code neither continues nor fails: there the
 * process is killed.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

export type Moment = 'before' | 'after'
/** `<moment> <file>:<line>:<column>` */
export type CrashPoint = `${Moment} ${string}`

const sources = JSON.parse(readFileSync(process.env['INSTRUMENTED'] ?? '', 'utf8')) as Record<string, string>
registerHooks({
  load: (url, context, next) => {
    const source = sources[url]
    return source === undefined
      ? next(url, context)
      : { format: 'module-typescript', source, shortCircuit: true }
  },
})

const armed = new Set<CrashPoint>()
const hold = async (point: CrashPoint): Promise<void> => {
  // Later calls pass: one held call is enough.
  if (!armed.delete(point)) return
  process.send?.({ type: 'held', point })
  await new Promise(() => undefined)
}

const crashPoints = {
  before: (at: string) => hold(`before ${at}`),
  async settled(at: string, _before: unknown, waitedFor: unknown): Promise<unknown> {
    try {
      return await waitedFor
    } finally {
      await hold(`after ${at}`)
    }
  },
  async *each(at: string, items: AsyncIterable<unknown>): AsyncGenerator {
    await hold(`before ${at}`)
    for await (const item of items) {
      await hold(`after ${at}`)
      yield item
    }
  },
}
Object.assign(globalThis, { crashPoints })

process.on('message', (message: { type: string; crashPoints?: CrashPoint[] }) => {
  if (message.type === 'arm') for (const point of message.crashPoints ?? []) armed.add(point)
})
