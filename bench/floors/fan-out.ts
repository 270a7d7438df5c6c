import { newId } from '@causeway/chassis'
import type { Contender } from '../measure/rounds.ts'
import type { Receiver } from '../load/receiver-process.ts'
import { startChild } from '../parts/child.ts'

/** A body as long as the product's deliveries in this benchmark. */
const newBody = (): string =>
  JSON.stringify({
    event_id: newId('event'),
    event_type: 'payment.pending',
    created_at: new Date().toISOString(),
    partner_id: newId('partner'),
    data: {
      partner_customer_id: newId('relationship'),
      rail: 'crypto',
      order_id: newId('cryptoOrder'),
      status: 'pending',
      reference: 'a1b2c3d4-000000000001',
      chain: 'ETH',
      asset: 'USDT',
      amount: '28.735632',
      currency: 'EUR',
      tx_id: null,
      block_number: null,
      received: null,
    },
  })

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
        await receiver.reset()
        await loop.ask(Array.from({ length: events }, newBody))
        const { seconds } = await receiver.until({ events, withinMs })
        return { done: events, seconds }
      },
    },
    stop: loop.stop,
  }
}
