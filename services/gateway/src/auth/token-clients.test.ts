import { expect, test } from '@jest/globals'
import type { TokenClient } from '@causeway/contracts'
import { createTokenClients } from './token-clients.ts'

const client = (revoked: readonly string[] = []): TokenClient => ({
  client_id: 'cli_1',
  partner_id: 'prt_1',
  scopes: [],
  default_capabilities: [],
  allowed_addresses: null,
  daily_refund_limit_cents: null,
  secrets: [],
  key_ids: [],
  revoked_token_ids: [...revoked],
})

test('keeps a client that was read while access is unavailable, until it changes', async () => {
  let answer = (): Promise<TokenClient | null> => Promise.resolve(client(['jti_1']))
  const clients = createTokenClients({ findTokenClient: () => answer() })
  await clients.find('cli_1')
  answer = () => Promise.reject(new Error('away'))
  expect((await clients.find('cli_1'))?.revoked_token_ids).toEqual(['jti_1'])
  clients.invalidate(['cli_2'])
  expect(await clients.find('cli_1')).not.toBeNull()
  clients.invalidate(['cli_1'])
  await expect(clients.find('cli_1')).rejects.toThrow('away')
})

test('shares one read between concurrent calls, and does not keep a result that a change has overtaken', async () => {
  const settle: ((found: TokenClient) => void)[] = []
  const clients = createTokenClients({
    findTokenClient: () => new Promise((resolve) => settle.push(resolve)),
  })
  const both = [clients.find('cli_1'), clients.find('cli_1')]
  expect(settle).toHaveLength(1)
  clients.invalidate(null)
  settle[0]?.(client())
  await Promise.all(both)
  const later = clients.find('cli_1')
  settle[1]?.(client(['jti_1']))
  expect((await later)?.revoked_token_ids).toEqual(['jti_1'])
})

test('reads a disabled client again each time', async () => {
  let reads = 0
  const clients = createTokenClients({ findTokenClient: () => Promise.resolve(((reads += 1), null)) })
  expect([await clients.find('cli_1'), await clients.find('cli_1'), reads]).toEqual([null, null, 2])
})
