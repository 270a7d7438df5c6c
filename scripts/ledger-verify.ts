/** `pnpm ledger:verify`: verifies the books, in the database of a local start by default. */
import { settingsOfService } from '@causeway/dev-env/platform/local-service'

Object.assign(process.env, settingsOfService('ledger', process.env))
await import('../services/ledger/src/verification/command.ts')
