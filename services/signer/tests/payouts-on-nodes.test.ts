import { loadSettings } from '@causeway/chassis'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { startEthereumTransfers } from '@causeway/rails/tests/ethereum-transfers'
import { hasLitecoinNode, onLitecoinNode, startLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { elsewhere, pay } from '@causeway/rails/tests/spending'
import { openTransfers, TRANSFER_SETTINGS, TREASURY_NUMBER } from '@causeway/rails/transfers'
import { expect, test } from '@jest/globals'
import {
  DEPTH,
  newPayout,
  startForTests,
  TEST_SEED,
  type PayoutBody,
  type RunningSigner,
} from './running-signer.ts'

const onLitecoin = hasLitecoinNode ? test : test.skip
const onEthereum = hasAnvil() ? test : test.skip

/** Approves and requests a payout, and waits until the node has its transaction. */
const send = async (signer: RunningSigner, body: PayoutBody) => {
  expect(await signer.approvePayout(body)).toMatchObject({ ok: true })
  expect(await signer.payout(body)).toMatchObject({ ok: true })
  return signer.payoutBecomes(body, 'broadcast')
}

onLitecoin(
  `pays an approved payout from the treasury, less the network fee, on ${onLitecoinNode}`,
  async () => {
    const node = await startLitecoinNode()
    const nodes = loadSettings(
      { ...NODE_SETTINGS, ...TRANSFER_SETTINGS },
      { LTC_NODE_URLS: node.url, LTC_CHAIN: 'regtest' },
    )
    const transfers = openTransfers(['LTC'], { seed: TEST_SEED, config: nodes, timeoutMs: 60_000 }).get('LTC')
    if (transfers === undefined) throw new Error('no transfers')
    const treasury = transfers.addressOf(TREASURY_NUMBER)
    await transfers.close()
    const signer = await startForTests(null, { nodes, payoutLimits: { 'LTC/LTC': '1' } })
    await pay(node, [[treasury, '0.2'], [treasury, '0.3']], { fee: '0.0001' }) // prettier-ignore
    await node.mine(1)
    const body = newPayout({ network: 'LTC', asset: 'LTC', amount: '0.4', to_address: await elsewhere(node) })
    const sent = await send(signer, body)
    await node.mine(DEPTH)
    const confirmed = await signer.payoutBecomes(body, 'confirmed')
    const units = (amount: number) => toUnits(amount.toFixed(8), 8)
    const received = units(await node.wallet<number>('getreceivedbyaddress', body.to_address, DEPTH))
    expect(confirmed).toMatchObject({ tx_id: sent.tx_id, arrives: fromUnits(received, 8) })
    expect(received).toBeLessThan(units(0.4))
    const left = await node.rpc<{ total_amount: number }>('scantxoutset', 'start', [`addr(${treasury})`])
    expect(units(left.total_amount)).toBe(units(0.1))
    await signer.stop()
    await node.stop()
  },
)

onEthereum.each(['ETH', 'USDT'] as const)(
  'pays an approved payout of %s from the treasury on a local Ethereum node',
  async (asset) => {
    const fixture = await startEthereumTransfers(asset, asset === 'USDT')
    const { chain, transfers, mine, holdings, newRecipient } = fixture
    const signer = await startForTests(null, {
      nodes: loadSettings(
        { ...NODE_SETTINGS, ...TRANSFER_SETTINGS },
        { ETH_RPC_URLS: chain.anvil.url, ETH_CHAIN_ID: '31337', ETH_TOKENS: `USDT:${chain.token}` },
      ),
      payoutLimits: { [`ETH/${asset}`]: '1' },
    })
    const treasury = transfers.addressOf(TREASURY_NUMBER)
    await fixture.pay(treasury, '0.5')
    const body = newPayout({ asset, amount: '0.3', to_address: await newRecipient() })
    const sent = await send(signer, body)
    await mine(DEPTH)
    const confirmed = await signer.payoutBecomes(body, 'confirmed')
    expect(confirmed.tx_id).toBe(sent.tx_id)
    const received = await holdings(body.to_address)
    expect(confirmed.arrives).toBe(received)
    const units = (amount: string) => toUnits(amount, ASSET_DECIMALS[asset])
    // The platform pays the gas of a token; that of ETH comes out of the amount.
    if (asset === 'USDT') expect(received).toBe('0.3')
    else expect(units(received)).toBeLessThan(units('0.3'))
    expect(units(await holdings(treasury))).toBeGreaterThanOrEqual(units('0.2'))
    await signer.stop()
    await fixture.stop()
  },
)
