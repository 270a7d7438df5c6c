import type { Transfer } from '../block-source.ts'
import type { Transaction } from './answers.ts'

/* What an account gains by other means than a system transfer: a program sends SOL, or tokens arrive at an account of the
 * token program that it owns. Balances tell it; no instruction has to be understood. */

type Meta = Transaction['meta']
/** The change of an account's balance in one asset; negative for a loss. */
export type Gain = Readonly<{ units: bigint; decimals: number }> & Pick<Transfer, 'asset' | 'outputIndex'>

const SOL_DECIMALS = 9
const UNEXPLAINED = 2_000_000
const FIRST_TOKEN = 3_000_000

/** Tokens of the main network that orders of other networks take, with their mints; each has 6 decimals. */
const TOKENS = [
  ['USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
] as const
const TOKEN_DECIMALS = 6

export const isArrival = ({ units }: Gain): boolean => units > 0n

/**
 * Lamports that the account at this position gained beyond its system transfers. Whatever it sent in the same transaction
 * makes this less, so that what is sent to oneself is never a gain.
 */
export const unexplainedOf = (
  { preBalances, postBalances }: Meta,
  position: number,
  listed: bigint,
): readonly Gain[] => {
  const [before, after] = [preBalances?.[position], postBalances?.[position]]
  if (!Number.isSafeInteger(before) || !Number.isSafeInteger(after)) return []
  const units = BigInt(after ?? 0) - BigInt(before ?? 0) - listed
  return [{ asset: 'SOL', outputIndex: UNEXPLAINED, units, decimals: SOL_DECIMALS }]
}

/** Tokens that accounts of the token program gained whose owner is this account, by asset. */
export const tokensOf = ({ preTokenBalances, postTokenBalances }: Meta, owner: string): readonly Gain[] => {
  const held = (balances: Meta['preTokenBalances'], mint: string): bigint =>
    (balances ?? [])
      .filter((each) => each.mint === mint && each.owner === owner)
      .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n)
  return TOKENS.map(([asset, mint], at) => ({
    asset,
    outputIndex: FIRST_TOKEN + at,
    units: held(postTokenBalances, mint) - held(preTokenBalances, mint),
    decimals: TOKEN_DECIMALS,
  }))
}
