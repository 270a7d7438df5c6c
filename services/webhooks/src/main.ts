import { runService } from '@causeway/chassis/run'

await runService({
  name: 'webhooks',
  start: async () => {
    const { startWebhooks } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startWebhooks(loadConfig())
  },
})
