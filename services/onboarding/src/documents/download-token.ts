import { equalInConstantTime, type Vault } from '@causeway/chassis'

/** How long a download URL works (decisions §6). */
export const DOWNLOAD_TTL_MS = 5 * 60_000
/** By which the clocks of two replicas may differ. */
const CLOCK_SKEW_MS = 5_000
const PURPOSE = 'document-download'

type Signer = Pick<Vault, 'mac'>

const signed = (claim: string, signer: Signer): string =>
  `${claim}.${signer.mac(PURPOSE, claim).toString('base64url')}`

/** A token that opens one document until a time. It says nothing of where the bytes lie. */
export const issueDownloadToken = (
  documentId: string,
  now: Date,
  signer: Signer,
): Readonly<{ token: string; expiresAt: Date }> => {
  const expiresAt = new Date(now.getTime() + DOWNLOAD_TTL_MS)
  return { token: signed(`${documentId}.${expiresAt.getTime()}`, signer), expiresAt }
}

/**
 * The document that a token opens now, or null for one that is forged, altered or expired. One that would open it for
 * longer than any that is issued is forged too, by whoever has the key; replicas' clocks may differ by a little.
 */
export const readDownloadToken = (token: string, now: Date, signer: Signer): string | null => {
  const [documentId = '', expiresMs = ''] = token.split('.')
  if (!equalInConstantTime(signed(`${documentId}.${expiresMs}`, signer), token)) return null
  const leftMs = Number(expiresMs) - now.getTime()
  return leftMs > 0 && leftMs <= DOWNLOAD_TTL_MS + CLOCK_SKEW_MS ? documentId : null
}
