import { uniqueViolation } from '@causeway/chassis'

/**
 * Nearly all writes are new rows, so they are inserted without a check, as the product does; only after a conflict is
 * each row checked.
 */
export const newFirst =
  <T>(writeNew: (rows: T) => Promise<unknown>, writeMissing: (rows: T) => Promise<unknown>) =>
  async (rows: T): Promise<void> => {
    try {
      await writeNew(rows)
    } catch (error) {
      if (uniqueViolation(error) === null) throw error
      await writeMissing(rows)
    }
  }
