import { uniqueViolation } from '@causeway/chassis'

/**
 * Nearly always all that is written is new: it is written as if it were, as the product does, and only where a row was
 * there already is each one looked at.
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
