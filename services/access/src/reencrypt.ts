import { runReencryption } from '@causeway/chassis/database'
import { databaseOf } from '@causeway/contracts'
import { VAULT_USE } from './columns.ts'

await runReencryption({ service: databaseOf('access'), use: VAULT_USE })
