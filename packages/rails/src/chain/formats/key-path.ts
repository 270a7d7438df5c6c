/** Non-hardened children of a key (BIP-32). */
const CHILDREN = 2 ** 31

/**
 * The key of an order's number below its account: `account/chain/child`. Numbers below 2^31 are children of the chain
 * of receiving addresses (BIP-44). Each further 2^31 numbers are a generation on a chain of their own: 2, 3 and so on,
 * because chain 1 is for change.
 */
export const keyPathOf = (number: number): Readonly<{ chain: number; child: number }> => {
  const generation = Math.floor(number / CHILDREN)
  return { chain: generation === 0 ? 0 : generation + 1, child: number % CHILDREN }
}
