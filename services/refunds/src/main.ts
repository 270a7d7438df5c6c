import { runService } from '@causeway/chassis/run'

await runService({
  name: 'refunds',
  start: async () => {
    const { startRefunds } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startRefunds(loadConfig())
  },
})
