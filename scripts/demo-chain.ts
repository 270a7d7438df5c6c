/** `pnpm demo:chain`: a crypto payment on a separate, real Ethereum node, with a reorganisation. */
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { startChain } from '@causeway/rails/tests/ethereum-fixture'
import { settingsOf, walkChainPayment } from './demo/chain-payment.ts'
import { consoleReporter } from './demo/console-reporter.ts'
import { startOwnPlatform } from './demo/own-platform.ts'

const run = async () => {
  const chain = await startChain()
  try {
    console.log(`An Ethereum node runs at ${chain.anvil.url}. Starting a platform on it.`)
    const platform = await startOwnPlatform({ env: { ...process.env, ...settingsOf(chain) } })
    try {
      await walkChainPayment(platform, chain, consoleReporter)
    } finally {
      await platform.stop()
    }
  } finally {
    await chain.anvil.stop()
  }
}

if (!hasAnvil()) {
  console.error('demo:chain: @foundry-rs/anvil, the node, has no binary for this system.')
  process.exitCode = 1
} else
  try {
    await run()
    console.log('\nThe demo went through: the order was paid, reverted and paid again on a real chain.')
  } catch (error) {
    console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
