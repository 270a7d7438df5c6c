import { randomBytes } from 'node:crypto'
import { equalInConstantTime, type Vault } from '@causeway/chassis'

const PURPOSE = 'client-secret'
const SECRET_BYTES = 32

/** A new client secret: 256 random bits in base64url, which needs no escaping anywhere. */
export const newClientSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/**
 * What is stored of a secret: a keyed hash bound to its client. A fast hash is enough because the secret is not
 * guessable, and without the root key a stolen table does not even allow to try.
 */
export const macOfClientSecret = (vault: Vault, clientId: string, secret: string): string =>
  vault.mac(PURPOSE, `${clientId}\n${secret}`).toString('hex')

const NO_SECRET = '0'.repeat(64)

/** Compares with every live secret, and with something of the same length when there is none. */
export const matchesClientSecret = (
  vault: Vault,
  clientId: string,
  secret: string,
  liveMacs: readonly string[],
): boolean => {
  const presented = macOfClientSecret(vault, clientId, secret)
  const candidates = liveMacs.length === 0 ? [NO_SECRET] : liveMacs
  return candidates.filter((mac) => equalInConstantTime(mac, presented)).length > 0
}
