import { runReseal } from '@causeway/chassis'
import { VAULT_USE } from './sealed-columns.ts'

await runReseal({ service: 'onboarding', use: VAULT_USE })
