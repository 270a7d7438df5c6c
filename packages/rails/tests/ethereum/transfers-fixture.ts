import type { Asset } from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import { encodeFunctionData, erc20Abi, getAddress, type Hex, keccak256, parseUnits } from 'viem'
import { createEthereumTransfers } from '../../src/chain/transfers/ethereum/transfers.ts'
import { delegateOf } from '../../src/chain/transfers/ethereum/deposit-delegate.ts'
import { ASSET_DECIMALS, fromUnits } from '../../src/networks.ts'
import { openSeedKeys } from '../../src/transfers.ts'
import { FOREIGN_WORDS, TEST_WORDS } from '../bitcoin/transfers-fixture.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import type { ReplacementFixture } from '../replacement-suite.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { compileContracts } from './contracts.ts'

const CHAIN_ID = 31_337

/** A node of our own with a token that has balances. */
export const startTransferChain = async () => {
  const anvil: Anvil = await startAnvil(CHAIN_ID)
  const [rich = ''] = await anvil.ask<string[]>('eth_accounts')
  const mine = async (blocks: number) => {
    for (let block = 0; block < blocks; block += 1) await anvil.ask('evm_mine')
  }
  const send = async (transaction: Readonly<{ to?: string; data?: string; value?: bigint }>) => {
    const { value = 0n, ...rest } = transaction
    const id = await anvil.ask<string>('eth_sendTransaction', {
      ...{ from: rich, gas: '0x4c4b40', value: `0x${value.toString(16)}` },
      ...rest,
    })
    await mine(1)
    return anvil.ask<{ status: string; contractAddress: string; gasUsed: string }>(
      'eth_getTransactionReceipt',
      id,
    )
  }
  const token = getAddress((await send({ data: compileContracts().coin })).contractAddress)
  return { anvil, mine, send, token }
}
type TransferChain = Awaited<ReturnType<typeof startTransferChain>>

/** @param delegate whether the chain has the delegate of EIP-7702 */
export const startEthereumTransfers = async (asset: Asset, delegate: boolean) => {
  const chain: TransferChain = await startTransferChain()
  const { anvil, mine, send, token } = chain
  const proxy = await startFaultProxy(anvil.url)
  const openWith = (words: string, timeoutMs: number, gasPriceMax: number) =>
    createEthereumTransfers({
      keys: openSeedKeys(words, 'ETH'),
      ...{ urls: [`http://127.0.0.1:${proxy.port}`], chainId: CHAIN_ID, tokens: { USDT: token } },
      ...{ gasPriceMax, timeoutMs },
    })
  const open = (timeoutMs: number, gasPriceMax = 100) => openWith(TEST_WORDS, timeoutMs, gasPriceMax)
  const opened = [open(60_000), open(500)] as const
  const gasAddress = opened[0].gasAddress as Hex
  await send({ to: gasAddress, value: parseUnits('10', 18) })
  const { factory, data } = delegateOf(gasAddress)
  if (delegate) await send({ to: factory, data })
  const transferOf = (to: Hex, units: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })
  const balanceOf = (holder: Hex) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
  const decimals = ASSET_DECIMALS[asset]
  const fixture: ReplacementFixture = {
    transfers: opened[0],
    impatient: opened[1],
    asset,
    pay: async (address, amount) => {
      const units = parseUnits(amount, decimals)
      await send(
        asset === 'ETH'
          ? { to: address, value: units }
          : { to: token, data: transferOf(address as Hex, units) },
      )
    },
    mine,
    holdings: async (address) => {
      const held =
        asset === 'ETH'
          ? await anvil.ask<string>('eth_getBalance', address, 'latest')
          : await anvil.ask<string>('eth_call', { to: token, data: balanceOf(address as Hex) }, 'latest')
      return fromUnits(BigInt(held), decimals)
    },
    newRecipient: () => Promise.resolve(getAddress(`0x${randomBytes(20).toString('hex')}`)),
    // One letter of the checksum is of the other case.
    foreignAddress: '0x6fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
    mostFee: '0.01',
    dust: asset === 'ETH' ? '0.00001' : null,
    excludesForgotten: asset === 'ETH' || !delegate,
    waits: true,
    fault: proxy.fault,
    mineInstead: async (rawTransactions) => {
      await anvil.ask(
        'anvil_reorg',
        1,
        rawTransactions.map((raw) => [raw, 0]),
      )
    },
    alterSignature: (signed) => {
      const last = signed.rawTransactions.at(-1) ?? ''
      const altered = (last.slice(0, -1) + (last.endsWith('0') ? '1' : '0')) as Hex
      const rawTransactions = [...signed.rawTransactions.slice(0, -1), altered]
      return { ...signed, rawTransactions, txId: keccak256(altered) }
    },
    openThrifty: () => open(60_000, 1),
    openForeign: () => openWith(FOREIGN_WORDS, 60_000, 100),
    stop: async () => {
      await Promise.all(opened.map((transfers) => transfers.close()))
      await proxy.stop()
      await anvil.stop()
    },
  }
  return { ...fixture, chain, open }
}
