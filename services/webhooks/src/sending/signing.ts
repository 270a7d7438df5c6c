import type { Vault } from '@causeway/chassis'
import type { Target } from '../connect-guard/target.ts'
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
 * What signs by a destination's secrets. During an overlap `x-signature` is still of the former one, because that is
 * what a receiver knows which has not been told of the rotation; `x-signature-next` is of the new one.
 */
export const signingOf = (
  vault: Pick<Vault, 'open'>,
  { id, secretSealed, formerSecretSealed, formerSecretUntil }: StoredSecrets,
  target: Target,
): Signing => {
  const keyOf = (sealed: string) => signingKey(vault.open(sealed, secretContext(id)).toString('ascii'))
  const key = keyOf(secretSealed)
  const template = new RequestTemplate({ id, key, target })
  if (formerSecretSealed === null || formerSecretUntil === null) return { template, overlap: null }
  const both = new RequestTemplate({ id, key: keyOf(formerSecretSealed), nextKey: key, target })
  return { template, overlap: { template: both, untilMs: formerSecretUntil.getTime() } }
}
