import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startNameServer, type Say } from '../../tests/hostile/name-server.ts'
import { UnresolvedNameError } from './failure.ts'
import { createResolver, type Resolve } from './resolver.ts'

const NX_DOMAIN = 3
const SERVER_FAILURE = 2
const REFUSED = 5

const many = (count: number) => Array.from({ length: count }, (_, index) => `8.8.8.${index + 1}`)
const SAYS: Readonly<Record<string, Say>> = {
  'four.example.test': () => ({ addresses: ['8.8.8.8'] }),
  'both.example.test': () => ({ addresses: ['2606:4700::1', '8.8.8.8'] }),
  'six.example.test': () => ({ addresses: ['2606:4700::1'] }),
  'half.example.test': ({ isV4 }) => (isV4 ? { code: SERVER_FAILURE } : { addresses: ['2606:4700::1'] }),
  'alias.example.test': () => ({ alias: 'inside.example.test', addresses: ['10.0.0.1'] }),
  'many.example.test': () => ({ addresses: many(20) }),
  'forged.example.test': () => ({ forged: ['9.9.9.9'], addresses: ['8.8.8.8'] }),
  'empty.example.test': () => ({ addresses: [] }),
  'unknown.example.test': () => ({ code: NX_DOMAIN }),
  'failing.example.test': () => ({ code: SERVER_FAILURE }),
  'refusing.example.test': () => ({ code: REFUSED }),
  'garbage.example.test': () => ({ bytes: Buffer.from('not a message of the protocol at all') }),
  'silent.example.test': () => null,
}

let close: () => Promise<void>
let resolve: Resolve
/** For what is not answered at all, whatever the time. */
let resolveBriefly: Resolve
beforeAll(async () => {
  const nameServer = await startNameServer((question) => SAYS[question.name]?.(question) ?? null)
  close = nameServer.close
  const servers = [nameServer.server]
  resolve = createResolver({ servers, tryMs: 20_000 })
  resolveBriefly = createResolver({ servers, tryMs: 100 })
})
afterAll(() => close())

test.each([
  ['an address', 'four.example.test', ['8.8.8.8']],
  ['both families, IPv4 first', 'both.example.test', ['8.8.8.8', '2606:4700::1']],
  ['IPv6 alone', 'six.example.test', ['2606:4700::1']],
  ['one family, where the other fails', 'half.example.test', ['2606:4700::1']],
  ['what an alias leads to, for the guard to refuse', 'alias.example.test', ['10.0.0.1']],
  ['its own answer, not one forged for another question', 'forged.example.test', ['8.8.8.8']],
  ['a name with a dot at its end', 'four.example.test.', ['8.8.8.8']],
  ['loopback for localhost, which nobody is asked', 'Hooks.localhost'.toLowerCase(), ['127.0.0.1', '::1']],
  ['an address literal, which nobody is asked', '8.8.4.4', ['8.8.4.4']],
])('resolves %s', async (_what, name, addresses) => {
  expect(await resolve(name)).toEqual(addresses)
})

test('uses eight addresses of a long answer', async () => {
  const addresses = await resolve('many.example.test')
  expect(addresses).toHaveLength(8)
  expect(many(20)).toEqual(expect.arrayContaining([...addresses]))
})

test.each(['empty', 'unknown', 'failing', 'refusing', 'garbage', 'silent'])(
  'leaves the name unresolved when a name server is %s',
  async (name) => {
    await expect(resolveBriefly(`${name}.example.test`)).rejects.toBeInstanceOf(UnresolvedNameError)
  },
)
