/** One service as a process that can be killed, with a clock that its parent advances. */
import { flushCompileCache } from 'node:module'
import { createClock } from '@causeway/chassis'

const clock = createClock()
const SERVICES = {
  payments: async () => {
    const { startPayments } = await import('../../../services/payments/src/service.ts')
    const { loadConfig } = await import('../../../services/payments/src/config.ts')
    return () => startPayments({ ...loadConfig(), clock, checkReplies: true })
  },
  refunds: async () => {
    const { startRefunds } = await import('../../../services/refunds/src/service.ts')
    const { loadConfig } = await import('../../../services/refunds/src/config.ts')
    return () => startRefunds({ ...loadConfig(), clock, checkReplies: true })
  },
} as const

const name = process.argv[2] as keyof typeof SERVICES
const start = await SERVICES[name]()

type Message = { type: string; ms?: number; replicas?: number }

/** Loads ahead and starts on its parent's message. */
const onMessage = async (message: Message): Promise<void> => {
  if (message.type === 'advance') clock.advance(message.ms ?? 0)
  if (message.type !== 'start') return
  for (let replica = 0; replica < (message.replicas ?? 1); replica += 1) await start()
  process.send?.({ type: 'ready' })
}
process.on('message', (message: Message) => {
  onMessage(message).catch((error: unknown) => {
    process.stderr.write(`${name}: ${String(error)}\n`)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ type: 'loaded' })
// Node writes it when a process exits, and so never where the process is killed.
flushCompileCache()
