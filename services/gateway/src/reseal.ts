import { runReseal } from '@causeway/chassis'
import { VAULT_USE } from './sealed-columns.ts'

await runReseal({ service: 'gateway', use: VAULT_USE })
