import { runReencryption } from '@causeway/chassis'
import { VAULT_USE } from './sealed-columns.ts'

await runReencryption({ service: 'webhooks', use: VAULT_USE })
