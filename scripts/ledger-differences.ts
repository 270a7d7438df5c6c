/** `pnpm ledger:differences`: facts on which the books and their sources differ, in a local start's database by default. */
import { settingsOfService } from '@causeway/dev-env/platform/local-service'

Object.assign(process.env, settingsOfService('ledger', process.env))
await import('../services/ledger/src/comparison/command.ts')
