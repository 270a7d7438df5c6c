import { runReencryption } from '@causeway/chassis'
import { VAULT_USE } from './columns.ts'

await runReencryption({ service: 'gateway', use: VAULT_USE })
