import { startJsonRpcServer } from '../../packages/rails/tests/json-rpc-server.ts'
import { createMinedChain, transactionOf } from '../../packages/rails/tests/bitcoin/mined-chain.ts'
import type { ServedChain } from './block-servers.ts'
import { childArgument, serveParent } from './child-main.ts'

/** Transactions of strangers, the same ones in every block. */
const TRANSACTIONS_PER_BLOCK = 10
const STRANGER = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const SATOSHI = 1_000n

const { blocks, paid, payEvery } = (await childArgument()) as ServedChain
const chain = createMinedChain()
const ofStrangers = Array.from({ length: TRANSACTIONS_PER_BLOCK }, () => transactionOf([[STRANGER, SATOSHI]]))
for (let number = 1; number <= blocks; number += 1) {
  const payment = number % payEvery === 0 ? paid[(number / payEvery) % paid.length] : undefined
  chain.mine(...ofStrangers, ...(payment === undefined ? [] : [transactionOf([[payment, SATOSHI]])]))
}
const server = await startJsonRpcServer(chain)
serveParent(server.url, () => Promise.resolve(null))
