/**
 * Loaded ahead of a service's own code (`--import`): gives Node the instrumented modules in place of those on disk,
 * and holds whoever comes to a stop that is armed. Held, the code neither goes on nor fails: there the process is
 * killed.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

export type Moment = 'before' | 'after'
/** `<moment> <file>:<line>:<column>` */
export type Stop = `${Moment} ${string}`

const sources = JSON.parse(readFileSync(process.env['INSTRUMENTED'] ?? '', 'utf8')) as Record<string, string>
registerHooks({
  load: (url, context, next) => {
    const source = sources[url]
    return source === undefined
      ? next(url, context)
      : { format: 'module-typescript', source, shortCircuit: true }
  },
})

const armed = new Set<Stop>()
const hold = async (stop: Stop): Promise<void> => {
  // The next one to come by goes on: one is enough.
  if (!armed.delete(stop)) return
  process.send?.({ type: 'held', stop })
  await new Promise(() => undefined)
}

const stops = {
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
Object.assign(globalThis, { stops })

process.on('message', (message: { type: string; stops?: Stop[] }) => {
  if (message.type === 'arm') for (const stop of message.stops ?? []) armed.add(stop)
})
