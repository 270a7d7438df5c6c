import type { Contender } from '../measure/rounds.ts'
import type { Receiver } from '../load/receiver-process.ts'
import { startChild } from '../parts/child.ts'
import { newEventBody } from '../parts/event-body.ts'
import { timeDeliveries } from '../parts/time-deliveries.ts'

/** Starts the floor of fan-out: a bare undici loop to the same receiver over as many connections. */
export const startFanOutFloor = async (
  receiver: Receiver,
  options: { events: number; connections: number; withinMs: number },
): Promise<{ contender: Contender; stop: () => Promise<void> }> => {
  const { events, connections, withinMs } = options
  const loop = await startChild(new URL('./fan-out-loop.ts', import.meta.url), {
    url: receiver.url,
    connections,
  })
  return {
    contender: {
      name: 'undici loop',
      processes: [
        { name: 'loop', pid: loop.pid },
        { name: 'receiver', pid: receiver.child.pid },
      ],
      run: async () => {
        await loop.ask(Array.from({ length: events }, () => JSON.stringify(newEventBody())))
        return timeDeliveries(receiver, { events, withinMs }, () => loop.ask('begin'))
      },
    },
    stop: loop.stop,
  }
}
