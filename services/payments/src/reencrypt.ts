import { runReencryption } from '@causeway/chassis'
import { VAULT_USE } from './columns.ts'

await runReencryption({ service: 'payments', use: VAULT_USE })
