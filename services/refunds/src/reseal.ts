import { runReseal } from '@causeway/chassis'
import { loadConfig } from './config.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

await runReseal({ config: loadConfig(), columns: SEALED_COLUMNS })
