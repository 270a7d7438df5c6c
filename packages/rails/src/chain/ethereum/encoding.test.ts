import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { keccak256, numberToHex, serializeTransaction, type Hex, type SignedAuthorizationList } from 'viem'
import { TransactionAnswer } from './answers.ts'
import { encodeTransaction, hashOf, toHex } from './encoding.ts'

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
/** Numbers of any length, those with leading zeros in their last byte and 0 among them. */
const upTo = (bits: bigint) =>
  fc.oneof(fc.constantFrom(0n, 1n, 0x80n, 0x100n), fc.bigInt({ min: 0n, max: (1n << bits) - 1n }))
const address = hex(20)
const scalar = fc.bigInt({ min: 1n, max: (1n << 256n) - 1n })

const fields = fc.record({
  // Serialisers give legacy transactions without a chain id the signature from before EIP-155.
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
  nonce: fc.nat(),
  gas: upTo(40n),
  fees: fc.tuple(upTo(64n), upTo(64n)).map(([a, b]) => (a < b ? { tip: a, most: b } : { tip: b, most: a })),
  blobFee: upTo(64n),
  to: address,
  isCreation: fc.boolean(),
  value: upTo(100n),
  data: fc.uint8Array({ maxLength: 200 }).map((array): Hex => `0x${Buffer.from(array).toString('hex')}`),
  accessList: fc.array(fc.record({ address, storageKeys: fc.array(hex(32), { maxLength: 3 }) }), {
    maxLength: 3,
  }),
  blobVersionedHashes: fc.array(
    hex(31).map((rest): Hex => `0x01${rest.slice(2)}`),
    { minLength: 1, maxLength: 3 },
  ),
  authorizationList: fc.array(
    fc.record({ chainId: fc.nat(), address, nonce: fc.nat(), yParity: fc.nat(1), r: scalar, s: scalar }),
    { minLength: 1, maxLength: 3 },
  ),
  r: scalar,
  s: scalar,
  yParity: fc.nat(1),
})
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never

const quantity = (value: number | bigint): Hex => numberToHex(value)
const word = (value: bigint): Hex => numberToHex(value, { size: 32 })

/** How a kind of transaction is handed to viem, and how a node answers it, beyond what all have. */
type Kind = Readonly<{
  type: number
  /** True if it may create a contract. */
  creates: boolean
  toViem: (fields: Fields) => object
  answered: (fields: Fields) => object
}>
const fees = {
  toViem: ({ fees: { tip, most } }: Fields) => ({ maxPriorityFeePerGas: tip, maxFeePerGas: most }),
  answered: ({ fees: { tip, most } }: Fields) => ({
    maxPriorityFeePerGas: quantity(tip),
    maxFeePerGas: quantity(most),
    // What it cost in the end: nodes add it, and no hash covers it.
    gasPrice: quantity(most),
  }),
}
const listed = ({ chainId, accessList, yParity }: Fields) => ({
  chainId: quantity(chainId),
  accessList,
  yParity: quantity(yParity),
  v: quantity(yParity),
})
const KINDS: Readonly<Record<string, Kind>> = {
  'legacy, before EIP-155': {
    type: 0,
    creates: true,
    toViem: ({ fees: { most } }) => ({ type: 'legacy', gasPrice: most, chainId: undefined }),
    answered: ({ fees: { most }, yParity }) => ({ gasPrice: quantity(most), v: quantity(27 + yParity) }),
  },
  legacy: {
    type: 0,
    creates: true,
    toViem: ({ fees: { most } }) => ({ type: 'legacy', gasPrice: most }),
    answered: ({ fees: { most }, yParity, chainId }) => ({
      chainId: quantity(chainId),
      gasPrice: quantity(most),
      v: quantity(35 + 2 * chainId + yParity),
    }),
  },
  'EIP-2930': {
    type: 1,
    creates: true,
    toViem: ({ fees: { most }, accessList }) => ({ type: 'eip2930', gasPrice: most, accessList }),
    answered: (tx) => ({ ...listed(tx), gasPrice: quantity(tx.fees.most) }),
  },
  'EIP-1559': {
    type: 2,
    creates: true,
    toViem: (tx) => ({ type: 'eip1559', ...fees.toViem(tx), accessList: tx.accessList }),
    answered: (tx) => ({ ...listed(tx), ...fees.answered(tx) }),
  },
  'EIP-4844': {
    type: 3,
    creates: false,
    toViem: (tx) => ({
      type: 'eip4844',
      ...fees.toViem(tx),
      accessList: tx.accessList,
      maxFeePerBlobGas: tx.blobFee,
      blobVersionedHashes: tx.blobVersionedHashes,
    }),
    answered: (tx) => ({
      ...listed(tx),
      ...fees.answered(tx),
      maxFeePerBlobGas: quantity(tx.blobFee),
      blobVersionedHashes: tx.blobVersionedHashes,
    }),
  },
  'EIP-7702': {
    type: 4,
    creates: false,
    toViem: (tx) => ({
      type: 'eip7702',
      ...fees.toViem(tx),
      accessList: tx.accessList,
      authorizationList: tx.authorizationList.map(({ r, s, ...rest }) => ({
        ...rest,
        r: word(r),
        s: word(s),
      })) satisfies SignedAuthorizationList,
    }),
    answered: (tx) => ({
      ...listed(tx),
      ...fees.answered(tx),
      authorizationList: tx.authorizationList.map(({ chainId, address: of, nonce, yParity, r, s }) => ({
        chainId: quantity(chainId),
        address: of,
        nonce: quantity(nonce),
        yParity: quantity(yParity),
        r: quantity(r),
        s: quantity(s),
      })),
    }),
  },
}

test.each(Object.entries(KINDS))(
  'encodes a transaction of the kind %s to the bytes and the id that viem gives it',
  (_, kind) => {
    fc.assert(
      fc.property(fields, (tx) => {
        const to = kind.creates && tx.isCreation ? null : tx.to
        const { chainId, nonce, gas, value, data, yParity } = tx
        const serialised = serializeTransaction(
          { chainId, nonce, gas, to, value, data, ...kind.toViem(tx) },
          // oxlint-disable-next-line typescript/no-deprecated -- viem reads it for a legacy transaction
          { r: word(tx.r), s: word(tx.s), yParity, v: 27n + BigInt(yParity) },
        )
        const answer = TransactionAnswer.parse({
          type: quantity(kind.type),
          nonce: quantity(nonce),
          gas: quantity(gas),
          to,
          value: quantity(value),
          input: data,
          r: quantity(tx.r),
          s: quantity(tx.s),
          ...kind.answered(tx),
        })
        const encoded = encodeTransaction(answer)
        expect(toHex(encoded)).toBe(serialised)
        expect(hashOf(encoded)).toBe(keccak256(serialised))
      }),
      { numRuns: 200 },
    )
  },
)

test('names an unknown newer type of transaction in an error, and computes no hash for it', () => {
  const answer = { type: '0x5', nonce: '0x0', gas: '0x0', value: '0x0', input: '0x', r: '0x1', s: '0x1' }
  expect(() => encodeTransaction(answer)).toThrow('a transaction has the unknown type 5')
})
