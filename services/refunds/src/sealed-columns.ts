import type { SealedColumn } from '@causeway/chassis'
import { descriptionContext } from './operations/description.ts'

/** Every column of sealed values that this service has. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'refunds', key: 'id', column: 'description_sealed', contextOf: descriptionContext },
]
