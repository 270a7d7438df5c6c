import { runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { startGateway } from './service.ts'

await runService({ name: 'gateway', start: () => startGateway(loadConfig()) })
