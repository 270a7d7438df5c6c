import { collectProcessMetrics, runService } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { startGateway } from './service.ts'

collectProcessMetrics('gateway')
await runService({ name: 'gateway', start: () => startGateway(loadConfig()) })
