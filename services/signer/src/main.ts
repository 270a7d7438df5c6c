import { runService } from '@causeway/chassis/run'

await runService({
  name: 'signer',
  start: async () => {
    const { startSigner } = await import('./service.ts')
    const { loadConfig } = await import('./config.ts')
    return startSigner(loadConfig())
  },
})
