import { runService } from '@causeway/chassis/run'

await runService({
  name: 'access',
  start: async () => {
    const { startAccess } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startAccess(loadConfig())
  },
})
