import { runReseal } from '@causeway/chassis'
import { VAULT_USE } from './sealed-columns.ts'

await runReseal({ service: 'payments', use: VAULT_USE })
