import { runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { startSigner } from './service.ts'

await runService({ name: 'signer', start: () => startSigner(loadConfig()) })
