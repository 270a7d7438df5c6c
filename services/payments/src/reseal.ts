import { runReseal } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { VAULT_USE } from './sealed-columns.ts'

await runReseal({ service: 'payments', config: loadConfig(), use: VAULT_USE })
