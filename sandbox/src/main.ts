import { runService } from '@causeway/chassis/run'

await runService({
  name: 'sandbox',
  start: async () => {
    const { createSandbox } = await import('./sandbox.ts')
    const { loadConfig } = await import('./config.ts')
    const sandbox = createSandbox(loadConfig())
    await sandbox.start()
    return { stop: sandbox.stop, healthPort: Number(new URL(sandbox.url()).port) }
  },
})
