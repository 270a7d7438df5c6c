import { describe } from '@jest/globals'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { hasLitecoinNode, onLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { startEthereum, startLitecoin, startSandboxChain } from './fixtures.ts'
import { describeSettlement } from './settlement-suite.ts'

describeSettlement("the sandbox's chain", startSandboxChain)
;(hasAnvil() ? describe : describe.skip)('anvil (skipped where its package has no binary)', () => {
  describeSettlement('Ethereum, in its coin', () => startEthereum('ETH'))
  describeSettlement('Ethereum, in a token', () => startEthereum('USDT'))
})
;(hasLitecoinNode ? describe : describe.skip)(onLitecoinNode, () => {
  describeSettlement('Litecoin', startLitecoin)
})
