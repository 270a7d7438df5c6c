import { equalInConstantTime, type Vault } from '@causeway/chassis'

/** How long a download URL works (decisions §6). */
export const DOWNLOAD_TTL_MS = 5 * 60_000
/** Accepted difference between the clocks of two replicas. */
const CLOCK_SKEW_MS = 5_000
const PURPOSE = 'document-download'

type Signer = Pick<Vault, 'mac'>

const signed = (claim: string, signer: Signer): string =>
  `${claim}.${signer.mac(PURPOSE, claim).toString('base64url')}`

/** A token that gives access to one document until a time. It does not name where the bytes are stored. */
export const issueDownloadToken = (
  documentId: string,
  now: Date,
  signer: Signer,
): Readonly<{ token: string; expiresAt: Date }> => {
  const expiresAt = new Date(now.getTime() + DOWNLOAD_TTL_MS)
  return { token: signed(`${documentId}.${expiresAt.getTime()}`, signer), expiresAt }
}

/**
 * The document that a token gives access to now, or null for a forged, altered or expired token. A token that is valid
 * for longer than any that is issued counts as forged, even with the right key.
 */
export const readDownloadToken = (token: string, now: Date, signer: Signer): string | null => {
  const [documentId = '', expiresMs = ''] = token.split('.')
  if (!equalInConstantTime(signed(`${documentId}.${expiresMs}`, signer), token)) return null
  const leftMs = Number(expiresMs) - now.getTime()
  return leftMs > 0 && leftMs <= DOWNLOAD_TTL_MS + CLOCK_SKEW_MS ? documentId : null
}
