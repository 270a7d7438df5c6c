/** Non-hardened children of a key (BIP-32). */
const CHILDREN = 2 ** 31

/** Number of the signer's treasury address. Orders' numbers begin at 1, and no order has a key of its chain. */
export const TREASURY_NUMBER = -1
/** The second key of the chain for change (BIP-44); the first pays the gas of tokens on Ethereum. */
const TREASURY_PATH = { chain: 1, child: 1 } as const

/**
 * The key of an order's number below its account: `account/chain/child`. Numbers below 2^31 are children of the chain
 * of receiving addresses (BIP-44). Each further 2^31 numbers are a generation on a chain of their own: 2, 3 and so on,
 * because chain 1 is for change. {@link TREASURY_NUMBER} is a key of that chain.
 */
export const keyPathOf = (number: number): Readonly<{ chain: number; child: number }> => {
  if (number === TREASURY_NUMBER) return TREASURY_PATH
  const generation = Math.floor(number / CHILDREN)
  return { chain: generation === 0 ? 0 : generation + 1, child: number % CHILDREN }
}
