import { expect, test } from '@jest/globals'
import { NETWORKS, type Network } from '@causeway/contracts'
import { base58, bech32 } from '@scure/base'
import {
  bitcoinWallet,
  ethereumWallet,
  litecoinWallet,
  solanaWallet,
  type SigningWallet,
} from '../../../tests/signing-wallets.ts'
import { hasProof, isProof } from './proof.ts'

const HELLO = 'Hello World'
const SEGWIT = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'
const TAPROOT = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'
const OLDER = 'IAtVrymJqo43BCt9f7Dhl6ET4Gg3SmhyvdlW6wn9iWc9PweD7tNM5+qw7xE9/bzlw/Et789AQ2F59YKEnSzQudo='

/** BIP-322's own vectors, those of Bitcoin Core, and those of bip322-js and bitcoinjs-message for the older form. */
const VECTORS: readonly (readonly [what: string, address: string, message: string, signature: string])[] = [
  [
    'P2WPKH, an empty message',
    SEGWIT,
    '',
    'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  ],
  [
    'P2WPKH',
    SEGWIT,
    HELLO,
    'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  ],
  [
    'P2WPKH, a longer signature',
    SEGWIT,
    HELLO,
    'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
  ],
  [
    'P2TR',
    TAPROOT,
    HELLO,
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==',
  ],
  [
    'P2SH-P2WPKH',
    '3HSVzEhCFuH9Z3wvoWTexy7BMVVp3PjS6f',
    HELLO,
    'AkgwRQIhAMd2wZSY3x0V9Kr/NClochoTXcgDaGl3OObOR17yx3QQAiBVWxqNSS+CKen7bmJTG6YfJjsggQ4Fa2RHKgBKrdQQ+gEhAxa5UDdQCHSQHfKQv14ybcYm1C9y6b12xAuukWzSnS+w',
  ],
  [
    'P2PKH in the older form',
    '1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV',
    'This is an example of a signed message.',
    'H9L5yLFjti0QTHhPyFrZCT1V/MMnBtXKmoiKDZ78NDBjERki6ZTQZdSMCtkgoNmp17By9ItJr8o7ChX0XxY91nk=',
  ],
  [
    'P2SH-P2WPKH in the older form',
    '3Agx7m86mJgVbLZP3Wk1qjYkzv6gGemz9X',
    '48656c6c6f20426974636f696e2034352e3133302e3130352e313436',
    'JDkLNaM8vWoobA34PGQE9FIZaLF7peRh4r7DOqOHls1cP1DPwR3Hcy26+zk6yRb0qtJRHEdUflVxkScbwsOCSMw=',
  ],
  ['P2PKH of a compressed key', '1QDZfWJTVXqHFmJFRkyrnidvHyPyG5bynY', HELLO, OLDER],
  ['P2SH-P2WPKH of the same key', '36mTiayp1ZCcMr8t8KDdnVGSiz7Pd1cNie', HELLO, OLDER],
  ['P2WPKH of the same key', 'bc1ql64jd2pewssuuehu6g7kh6ud54amq5n8t95eeq', HELLO, OLDER],
]

test.each(VECTORS)(
  'accepts the published signature of %s, and for no other message',
  (_, address, message, signature) => {
    expect(isProof('BTC', { address, message, signature })).toBe(true)
    expect(isProof('BTC', { address, message: `${message} `, signature })).toBe(false)
  },
)

test('accepts the simple form (BIP-322) on Litecoin, whose addresses have the same scripts', () => {
  const [, [, , , signature] = ['', '', '', '']] = VECTORS
  const address = bech32.encode('ltc', bech32.decode(SEGWIT).words)
  expect(isProof('LTC', { address, message: HELLO, signature })).toBe(true)
  expect(isProof('LTC', { address, message: HELLO, signature: `smp${signature}` })).toBe(true)
})

const WALLETS: readonly (readonly [Network, () => SigningWallet])[] = [
  ['ETH', ethereumWallet],
  ['SOL', solanaWallet],
  ['BTC', bitcoinWallet],
  ['LTC', litecoinWallet],
]
const MESSAGE = `Causeway payout wallet pwt_0 ${'x'.repeat(300)} é`

test.each(WALLETS)('accepts on %s what the wallet of the address signs', async (network, open) => {
  const [own, other] = [open(), open()]
  const signature = await own.sign(MESSAGE)
  expect(isProof(network, { address: own.address, message: MESSAGE, signature })).toBe(true)
  expect(isProof(network, { address: other.address, message: MESSAGE, signature })).toBe(false)
  expect(isProof(network, { address: own.address, message: MESSAGE.toLowerCase(), signature })).toBe(false)
})

test('refuses on Litecoin what a wallet of Bitcoin signs in the older form', async () => {
  const { address, sign } = bitcoinWallet()
  const signature = await sign(MESSAGE)
  expect(isProof('LTC', { address, message: MESSAGE, signature })).toBe(false)
})

test('accepts an Ethereum signature whose last byte counts from 0', async () => {
  const { address, sign } = ethereumWallet()
  const signature = await sign(MESSAGE)
  const counted = signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01')
  expect(isProof('ETH', { address, message: MESSAGE, signature: counted })).toBe(true)
})

test('accepts a Solana signature in base58 and in base64, of any length', async () => {
  const { address, sign } = solanaWallet()
  for (let number = 0; number < 50; number += 1) {
    const message = `${MESSAGE}${number}`
    const inBase58 = await sign(message)
    const inBase64 = Buffer.from(base58.decode(inBase58)).toString('base64')
    for (const signature of [inBase58, inBase64])
      expect(isProof('SOL', { address, message, signature })).toBe(true)
  }
})

test('refuses a Solana address of small order, which no key belongs to', () => {
  const signature = Buffer.concat([Buffer.of(1), Buffer.alloc(63)]).toString('base64')
  const address = base58.encode(Buffer.concat([Buffer.of(1), Buffer.alloc(31)]))
  expect(isProof('SOL', { address, message: MESSAGE, signature })).toBe(false)
})

test.each(['', ' ', '0x', 'A', 'smp', '0'.repeat(132), `0x${'00'.repeat(65)}`, 'A'.repeat(88), 'é', '='])(
  'refuses %j as a signature on every network',
  (signature) => {
    const addresses = { BTC: SEGWIT, LTC: 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1' } as const
    const others = { ETH: ethereumWallet().address, SOL: solanaWallet().address }
    const all: Partial<Record<Network, string>> = { ...addresses, ...others }
    for (const network of NETWORKS)
      expect(isProof(network, { address: all[network] ?? '', message: MESSAGE, signature })).toBe(false)
  },
)

test('knows a form of proof for every network except the XRP Ledger', () => {
  expect(NETWORKS.filter((network) => !hasProof(network))).toEqual(['XRP'])
})
