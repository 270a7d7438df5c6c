import { createLogger } from '@causeway/chassis'
import { expect, test } from '@jest/globals'
import { exportJWK, generateKeyPair } from 'jose'
import { createSigningKeys } from './signing-keys.ts'

const log = createLogger({ service: 'test', level: 'silent' })

/** A public key of access. */
const newKey = async (kid: string): Promise<Record<string, string>> => {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...((await exportJWK(publicKey)) as Record<string, string>), kid }
}

test('reads keys once, and for unknown key ids at most once a second', async () => {
  const keys = [await newKey('one')]
  let reads = 0
  const signingKeys = createSigningKeys({
    access: { listSigningKeys: () => Promise.resolve(((reads += 1), keys)) },
    log,
  })
  expect(await signingKeys.jwks()).toEqual({ keys })
  expect(await signingKeys.find('one')).not.toBeNull()
  for (const kid of ['two', 'three', undefined]) expect(await signingKeys.find(kid)).toBeNull()
  expect(reads).toBe(1)
})

test('reads the keys again after a change, and uses the known ones while access is unavailable', async () => {
  const keys = [await newKey('one')]
  let isAway = false
  const signingKeys = createSigningKeys({
    access: {
      listSigningKeys: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([...keys])),
    },
    log,
  })
  await signingKeys.jwks()
  isAway = true
  signingKeys.invalidate()
  expect(await signingKeys.find('one')).not.toBeNull()
  isAway = false
  keys.push(await newKey('two'))
  signingKeys.invalidate()
  expect(await signingKeys.find('two')).not.toBeNull()
})
