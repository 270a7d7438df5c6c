import { equalInConstantTime, type Vault } from './crypto.ts'

/** How long a download URL works (decisions §6). */
export const DOWNLOAD_TTL_MS = 5 * 60_000
/** Accepted difference between the clocks of two replicas. */
const CLOCK_SKEW_MS = 5_000

/** Tokens that give access to files of one purpose. They do not name where the bytes are stored. */
export type DownloadTokens = Readonly<{
  issue(id: string, now: Date): Readonly<{ token: string; expiresAt: Date }>
  /**
   * The file that a token gives access to now, or null for a forged, altered or expired token. A token that is valid for
   * longer than any that is issued counts as forged, even with the right key.
   * @param graceMs for how long after its end a download that began before may go on
   */
  read(token: string, now: Date, graceMs?: number): string | null
}>

/** @param purpose separates these tokens from others of the same key, such as `document-download` */
export const createDownloadTokens = (signer: Pick<Vault, 'mac'>, purpose: string): DownloadTokens => {
  const signed = (claim: string): string => `${claim}.${signer.mac(purpose, claim).toString('base64url')}`
  return {
    issue(id, now) {
      const expiresAt = new Date(now.getTime() + DOWNLOAD_TTL_MS)
      return { token: signed(`${id}.${expiresAt.getTime()}`), expiresAt }
    },
    read(token, now, graceMs = 0) {
      const [id = '', expiresMs = ''] = token.split('.')
      if (!equalInConstantTime(signed(`${id}.${expiresMs}`), token)) return null
      const leftMs = Number(expiresMs) - now.getTime()
      return leftMs > -graceMs && leftMs <= DOWNLOAD_TTL_MS + CLOCK_SKEW_MS ? id : null
    },
  }
}
