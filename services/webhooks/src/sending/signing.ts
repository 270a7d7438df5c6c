import type { Vault } from '@causeway/chassis'
import type { Signing } from './destination.ts'
import { RequestTemplate } from './request.ts'
import { signingKey } from './signature.ts'
import { secretContext } from '../destinations/secret.ts'

/** The secrets of a destination as they are stored. */
export type StoredSecrets = Readonly<{
  id: string
  secretSealed: string
  formerSecretSealed: string | null
  formerSecretUntil: Date | null
}>

/**
 * Creates the signing templates of a destination's secrets. During an overlap `x-signature` still uses the former one, which
 * a receiver knows that has not switched yet; `x-signature-next` uses the new one.
 */
export const signingOf = (
  vault: Pick<Vault, 'open'>,
  { id, secretSealed, formerSecretSealed, formerSecretUntil }: StoredSecrets,
): Signing => {
  const keyOf = (sealed: string) => signingKey(vault.open(sealed, secretContext(id)).toString('ascii'))
  const key = keyOf(secretSealed)
  const template = new RequestTemplate({ id, key })
  if (formerSecretSealed === null || formerSecretUntil === null) return { template, overlap: null }
  const both = new RequestTemplate({ id, key: keyOf(formerSecretSealed), nextKey: key })
  return { template, overlap: { template: both, untilMs: formerSecretUntil.getTime() } }
}
