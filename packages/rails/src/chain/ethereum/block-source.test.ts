import { test } from '@jest/globals'
import { describeBlockSource } from '../../../tests/block-source-suite.ts'
import { hasAnvil } from '../../../tests/ethereum/anvil.ts'
import { startEthereumFixture } from '../../../tests/ethereum/fixture.ts'

if (hasAnvil()) describeBlockSource('Ethereum', startEthereumFixture)
else test.skip('skips Ethereum because @foundry-rs/anvil has no binary for this platform', () => undefined)
