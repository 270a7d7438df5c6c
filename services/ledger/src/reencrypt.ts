import { runReencryption } from '@causeway/chassis/database'
import { VAULT_USE } from './columns.ts'

await runReencryption({ service: 'ledger', use: VAULT_USE })
