import { runReencryption } from '@causeway/chassis'
import { VAULT_USE } from './sealed-columns.ts'

await runReencryption({ service: 'refunds', use: VAULT_USE })
