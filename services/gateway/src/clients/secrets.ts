import { createHash, randomBytes } from 'node:crypto'
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

/** Compares with every live secret, and with something of the same length when there is none; gives the one that it is. */
export const matchingSecret = <S extends Readonly<{ mac: string }>>(
  vault: Vault,
  clientId: string,
  secret: string,
  live: readonly S[],
): S | null => {
  const presented = macOfClientSecret(vault, clientId, secret)
  if (live.length === 0) equalInConstantTime(NO_SECRET, presented)
  return live.filter(({ mac }) => equalInConstantTime(mac, presented))[0] ?? null
}

const ID_LENGTH = 16

/** What a token names the secret by that it was issued for; tells nothing of the secret or of its keyed hash. */
export const secretIdOf = (mac: string): string =>
  createHash('sha256').update(mac).digest('hex').slice(0, ID_LENGTH)
