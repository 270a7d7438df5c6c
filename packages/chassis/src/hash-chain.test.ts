import { expect, test } from '@jest/globals'
import { createChainVerifier, readHead } from './hash-chain.ts'

/** The first link of a chain: SHA-256 of its sequence, 64 zeros and the record, computed by the sha256sum command. */
const RECORD =
  '{"kind":"approved","subject":"ord_1","at":"1970-01-01T00:00:00.000Z","to_address":"somewhere"}'
const HASH = '0cb2460eea27f7e43c1851829de2568e04b3e4e3d41236a4b0d7e916db8a6e6a'

test('accepts a link that was stored before, and refuses it with one changed character', () => {
  const verifier = createChainVerifier([readHead(`1:${HASH}`)])
  expect(verifier.check({ sequence: 1, hash: HASH, record: RECORD })).toBeNull()
  expect(verifier.end({ sequence: 1, hash: HASH })).toEqual({ ok: true, head: { sequence: 1, hash: HASH } })
  const changed = { sequence: 1, hash: HASH, record: RECORD.replace('somewhere', 'Somewhere') }
  expect(createChainVerifier([]).check(changed)).toBe('record 1 or its hash was changed')
})
