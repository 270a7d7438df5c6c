import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { startJsonRpcServer } from '../../../tests/json-rpc-server.ts'
import { createRippleLedgers, payment, SENDER } from '../../../tests/ripple/ledgers.ts'
import { SANDBOX_ACCOUNTS } from '../networks.ts'
import { createRippleBlockSource } from './block-source.ts'

const FIRST = SANDBOX_ACCOUNTS.XRP
const SECOND = 'rLQBHVhFnaC5gLEkgr6HgBJJ3bgeZHg9cj'

test('distinguishes receipts at a receiving account from payments to others and between the accounts', async () => {
  const ledgers = createRippleLedgers()
  ledgers.close(
    payment({ Destination: SECOND, Amount: '1000000' }),
    payment({ Account: SECOND, Destination: FIRST, Amount: '2000000' }),
    payment({ Destination: SENDER, Amount: '3000000' }),
  )
  const node = await startJsonRpcServer(ledgers)
  const options = { rpcUrls: [node.url], account: `${FIRST}, ${SECOND}`, timeoutMs: TEST_DEADLINE_MS }
  const source = createRippleBlockSource(options)
  try {
    const found = await source.transfers(await source.head())
    expect(found.map(({ amount, shared }) => [amount, shared])).toEqual([
      ['1', { address: SECOND, sender: SENDER }],
      ['2', undefined],
      ['3', undefined],
    ])
  } finally {
    await source.close()
    await node.stop()
  }
})
