import { runReencryption } from '@causeway/chassis/database'
import { VAULT_USE } from './columns.ts'

await runReencryption({ service: 'webhooks', use: VAULT_USE })
