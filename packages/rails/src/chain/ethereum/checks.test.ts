import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, parseUnits } from 'viem'
import { hasAnvil } from '../../../tests/ethereum/anvil.ts'
import { ABI, CHAIN_ID, startChain } from '../../../tests/ethereum/fixture.ts'
import type { BlockSource } from '../../chains.ts'
import { createEthereumBlockSource } from './block-source.ts'

const NOWHERE = `0x${'12'.repeat(20)}` as const

;(hasAnvil() ? describe : describe.skip)('Ethereum', () => {
  let chain: Awaited<ReturnType<typeof startChain>>
  const opened: BlockSource[] = []
  beforeAll(async () => {
    chain = await startChain()
  })
  afterAll(async () => {
    await Promise.all(opened.map((source) => source.close()))
    await chain.anvil.stop()
  })

  const open = (options: Partial<Parameters<typeof createEthereumBlockSource>[0]> = {}) => {
    const source = createEthereumBlockSource({
      urls: [chain.anvil.url],
      chainId: CHAIN_ID,
      tokens: chain.tokens,
      timeoutMs: 60_000,
      ...options,
    })
    opened.push(source)
    return source
  }

  test('names the setting that the chain contradicts at the start', async () => {
    const wrong = open({ chainId: 1 }).verify()
    // A RailError would be an outage, which a start waits for.
    await expect(wrong).rejects.toMatchObject({ name: 'Error' })
    await expect(wrong).rejects.toThrow(
      `ETH_CHAIN_ID is 1, but ${new URL(chain.anvil.url).host} of ETH_RPC_URLS serves the chain ${CHAIN_ID}`,
    )
    const other = await chain.deployToken(18)
    await expect(open({ tokens: { USDT: other } }).verify()).rejects.toThrow(
      /^ETH_TOKENS: USDT at 0x[0-9a-f]{40} has 18 decimals at 127\.0\.0\.1:\d+; USDT has 6 decimals$/,
    )
    await expect(open({ tokens: { USDC: NOWHERE } }).verify()).rejects.toThrow(
      /^ETH_TOKENS: USDC at .* is not a token/,
    )
    expect(() => open({ urls: ['node.example'] })).toThrow(
      'ETH_RPC_URLS: address 1 is not an http or https address',
    )
  })

  test('starts with one of two endpoints down, but not with both down', async () => {
    const nobody = 'http://127.0.0.1:1'
    await open({ urls: [nobody, chain.anvil.url] }).verify()
    await expect(open({ urls: [nobody, nobody] }).verify()).rejects.toThrow(
      'ETH_RPC_URLS: too few endpoints respond',
    )
  })

  test('shows ETH that a contract forwards in the balances after its block, and not in those before', async () => {
    const source = open()
    const [paid, other] = [chain.newAddress(), chain.newAddress()]
    const before = await source.head()
    const data = encodeFunctionData({ abi: ABI, functionName: 'pay', args: [paid] })
    await chain.send({ to: chain.splitter, value: parseUnits('0.5', 18), data })
    await chain.mine(1)
    const after = await source.head()
    expect((await source.transfers(after)).map(({ address }) => address)).toEqual([chain.splitter])
    expect(await source.balances?.([other, paid], after)).toEqual([0n, 5n * 10n ** 17n])
    expect(await source.balances?.([other, paid], before)).toEqual([0n, 0n])
  })

  test('ignores a transaction that reverts, and numbers token transfers by their place in the transaction', async () => {
    const source = open()
    const refuse = encodeFunctionData({ abi: ABI, functionName: 'refuse' })
    await chain.send({ to: chain.splitter, value: 1n, data: refuse })
    const addresses = [chain.newAddress(), chain.newAddress()]
    const args = [addresses, parseUnits('3', 6)] as const
    const many = encodeFunctionData({ abi: ABI, functionName: 'transferToMany', args })
    const txId = await chain.send({ to: chain.tokens.USDC ?? '', data: many })
    await chain.mine(1)
    expect(await source.transfers(await source.head())).toEqual(
      addresses.map((address, index) => ({
        asset: 'USDC',
        address,
        txId,
        outputIndex: index + 1,
        amount: '3',
      })),
    )
  })
})
