import { createHash, randomBytes } from 'node:crypto'
import { equalInConstantTime, type Vault } from '@causeway/chassis'

const PURPOSE = 'client-secret'
const SECRET_BYTES = 32

/** A new client secret: 256 random bits in base64url, which needs no escaping anywhere. */
export const newClientSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/**
 * The keyed hash that is stored of a secret, bound to its client. A fast hash is enough, because 256 random bits cannot be
 * guessed, and without the service's key a stolen table does not allow even an offline guess.
 */
export const macOfClientSecret = (vault: Vault, clientId: string, secret: string): string =>
  vault.mac(PURPOSE, `${clientId}\n${secret}`).toString('hex')

const NO_SECRET = '0'.repeat(64)

/** The live secret that matches. Without a live one a comparison is made too, so that the time does not reveal that. */
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

/** Id of a secret in the tokens issued for it; reveals neither the secret nor its keyed hash. */
export const secretIdOf = (mac: string): string =>
  createHash('sha256').update(mac).digest('hex').slice(0, ID_LENGTH)
