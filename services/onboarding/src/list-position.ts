import type { Cursors } from '@causeway/chassis'

/** Sorts before every row: where a list begins. Positions are a time and an id. */
export const LIST_START: readonly string[] = ['-infinity', '']

/**
 * The position after which a page begins.
 * @param list names the list, whose it is and its filter
 * @returns null for a cursor that this very list did not issue (decisions §1, Cursors)
 */
export const positionOf = (
  cursors: Cursors,
  list: string,
  cursor: string | null,
): readonly string[] | null => (cursor === null ? LIST_START : cursors.decode(list, cursor))

/** The cursor of what comes after a row; null after the last. */
export const cursorAfter = (
  cursors: Cursors,
  list: string,
  last: Readonly<{ at: Date; id: string }> | null,
): string | null => last && cursors.encode(list, [last.at.toISOString(), last.id])
