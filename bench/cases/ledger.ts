import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const LOOK_MS = 20

/** A receiver that keeps how often each event came. */
export type Ledger = Readonly<{
  url: string
  /** Distinct events so far. */
  events: () => number
  /** Deliveries of events that had come before. */
  repeated: () => number
  /** Waits until these events have come. @returns those that have not within `withinMs` */
  missingOf: (eventIds: readonly string[], withinMs: number) => Promise<string[]>
  stop: () => Promise<void>
}>

export const startLedger = async (): Promise<Ledger> => {
  const arrived = new Set<string>()
  let deliveries = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { event_id: eventId } = JSON.parse(Buffer.concat(parts).toString()) as { event_id: string }
      arrived.add(eventId)
      deliveries += 1
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events: () => arrived.size,
    repeated: () => deliveries - arrived.size,
    async missingOf(eventIds, withinMs) {
      const deadlineMs = performance.now() + withinMs
      let missing = [...eventIds]
      while (performance.now() < deadlineMs) {
        missing = missing.filter((id) => !arrived.has(id))
        if (missing.length === 0) break
        await delay(LOOK_MS)
      }
      return missing
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
