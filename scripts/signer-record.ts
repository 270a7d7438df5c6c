/** `pnpm signer:verify`: verifies the signer's record, in the database of a local start by default. */
import { settingsOfService } from '@causeway/dev-env/platform/local-service'

Object.assign(process.env, settingsOfService('signer', process.env))
await import('../services/signer/src/record/command.ts')
