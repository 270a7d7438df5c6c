import { runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { createSandbox } from './sandbox.ts'

await runService({
  name: 'sandbox',
  start: async () => {
    const sandbox = createSandbox(loadConfig())
    await sandbox.start()
    return { stop: sandbox.stop, healthPort: Number(new URL(sandbox.url()).port) }
  },
})
