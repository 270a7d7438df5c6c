import { startBitcoinFixture, startLitecoinFixture } from '../../tests/bitcoin/fixture.ts'
import { hasLitecoinNode } from '../../tests/bitcoin/litecoin-node.ts'
import { describeBlockSource } from '../../tests/block-source-suite.ts'
import { startRippleFixture } from '../../tests/ripple/fixture.ts'
import { startSolanaFixture } from '../../tests/solana/fixture.ts'

describeBlockSource('Bitcoin, by Core', () => startBitcoinFixture('Core'))
describeBlockSource('Bitcoin, by Esplora', () => startBitcoinFixture('Esplora'))
describeBlockSource('Solana', startSolanaFixture)
describeBlockSource('XRP', startRippleFixture)
// Without litecoind, block-source.test.ts says that it was skipped and why.
if (hasLitecoinNode) describeBlockSource('Litecoin', startLitecoinFixture)
