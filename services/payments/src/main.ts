import { runService } from '@causeway/chassis/run'

await runService({
  name: 'payments',
  start: async () => {
    const { startPayments } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startPayments(loadConfig())
  },
})
