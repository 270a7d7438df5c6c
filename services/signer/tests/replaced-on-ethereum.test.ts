import { loadSettings } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { startEthereumTransfers } from '@causeway/rails/tests/ethereum-transfers'
import { TRANSFER_SETTINGS, type SignedTransfer } from '@causeway/rails/transfers'
import { expect, test } from '@jest/globals'
import { DEPTH, newRefund, startForTests } from './running-signer.ts'

const testOnNode = hasAnvil() ? test : test.skip
const AFTER = 3
/** 20 gwei for a unit of gas: more than a transfer offers that was signed on a quiet chain. */
const BUSY = '0x4a817c800'

type Fixture = Awaited<ReturnType<typeof startEthereumTransfers>>
const startSigner = ({ chain }: Fixture) =>
  startForTests(null, {
    nodes: loadSettings(
      { ...NODE_SETTINGS, ...TRANSFER_SETTINGS },
      { ETH_RPC_URLS: chain.anvil.url, ETH_CHAIN_ID: '31337', ETH_TOKENS: `USDT:${chain.token}` },
    ),
  })
testOnNode.each(['ETH', 'USDT'] as const)(
  'confirms a refund of %s that no block includes by its replacement, with the fee that was paid',
  async (asset) => {
    const fixture = await startEthereumTransfers(asset, asset === 'USDT')
    const { chain, transfers, pay, mine, holdings, newRecipient } = fixture
    // One at a time: all signers of a test answer the same subjects.
    const signer = await startSigner(fixture)
    const address = transfers.addressOf(1)
    await pay(address, '0.5')
    const toAddress = await newRecipient()
    const body = newRefund({ asset, key_index: 1, address, to_address: toAddress, amount: '0.3' })
    await signer.request(body)
    const first = await signer.becomes(body, 'broadcast')
    for (let block = 0; block < AFTER; block += 1) {
      await chain.anvil.ask('anvil_setNextBlockBaseFeePerGas', BUSY)
      await mine(1)
    }
    const second = await eventually(async () => {
      const [row] = await signer.sql<{ signed: string; earlier: string }>(
        `SELECT signed, earlier FROM transfers WHERE id = '${body.refund_id}'`,
      )
      const signed = JSON.parse(row?.signed ?? '') as SignedTransfer
      const isSent = await chain.anvil.ask('eth_getTransactionByHash', signed.txId)
      return row?.earlier !== '[]' && isSent !== null && signed
    })
    expect(second.txId).not.toBe(first.tx_id)
    expect(await chain.anvil.ask('eth_getTransactionReceipt', first.tx_id)).toBe(null)
    await mine(DEPTH)
    const confirmed = await signer.becomes(body, 'confirmed')
    expect(confirmed).toMatchObject({ tx_id: second.txId, amount: second.amount })
    expect(await holdings(toAddress)).toBe(second.amount)
    const { gasUsed, effectiveGasPrice } = await chain.anvil.ask<
      Readonly<Record<'gasUsed' | 'effectiveGasPrice', string>>
    >('eth_getTransactionReceipt', second.txId)
    const paid = BigInt(gasUsed) * BigInt(effectiveGasPrice)
    expect(toUnits(confirmed.network_fee ?? '', ASSET_DECIMALS.ETH)).toBe(paid)
    const units = (amount: string) => toUnits(amount, ASSET_DECIMALS[asset])
    const fee = asset === 'ETH' ? toUnits(second.networkFee, ASSET_DECIMALS.ETH) : 0n
    expect(units(second.amount) + fee).toBe(units('0.3'))
    expect(units(await holdings(address))).toBe(units('0.2') + (asset === 'ETH' ? fee - paid : 0n))
    await signer.stop()
    await fixture.stop()
  },
)
