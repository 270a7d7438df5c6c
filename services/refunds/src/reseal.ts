import { runReseal } from '@causeway/chassis'
import { VAULT_USE } from './sealed-columns.ts'

await runReseal({ service: 'refunds', use: VAULT_USE })
