/** Time between two blocks of ETH. */
const BLOCK_MS = 12_000
/** An ended order is read again after this share of the time since it should have been paid. */
const SHARE_OF_AGE = 24
/** Five minutes, and 30 days. */
const FEWEST_BLOCKS = 25
const MOST_BLOCKS = 216_000

/**
 * The block at which the balance of an order's address is read next (decisions §52): with every block while it is open;
 * once it has ended, after a 24th of the time since its rate ended, at least five minutes and at most 30 days.
 */
export const nextReading = (
  { isOpen, expiresAt }: Readonly<{ isOpen: boolean; expiresAt: Date }>,
  head: Readonly<{ number: number; minedAt: Date }>,
): number => {
  if (isOpen) return head.number + 1
  const age = (head.minedAt.getTime() - expiresAt.getTime()) / BLOCK_MS / SHARE_OF_AGE
  return head.number + Math.round(Math.min(Math.max(age, FEWEST_BLOCKS), MOST_BLOCKS))
}
