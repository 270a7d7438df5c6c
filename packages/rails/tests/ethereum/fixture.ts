import { randomBytes } from 'node:crypto'
import type { Asset } from '@causeway/contracts'
import { encodeDeployData, encodeFunctionData, getAddress, parseAbi, parseUnits } from 'viem'
import { createEthereumBlockSource } from '../../src/chains.ts'
import type { BlockSourceFixture, TestPayment } from '../block-source-fixture.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { compileContracts } from './contracts.ts'

export const CHAIN_ID = 31_337
export const ABI = parseAbi([
  'constructor(uint8 decimals)',
  'function transfer(address to, uint256 value)',
  'function transferToMany(address[] to, uint256 value)',
  'function pay(address to) payable',
  'function refuse() payable',
])

type Transaction = { to?: string; data?: string; value?: bigint; gas?: number }

/** A node of our own with two tokens, and what can be done on it. */
export const startChain = async () => {
  const anvil: Anvil = await startAnvil(CHAIN_ID)
  const [from] = await anvil.ask<[string]>('eth_accounts')
  const send = ({ value, gas, ...rest }: Transaction): Promise<string> =>
    anvil.ask('eth_sendTransaction', {
      from,
      gas: `0x${(gas ?? 1_000_000).toString(16)}`,
      ...(value !== undefined && { value: `0x${value.toString(16)}` }),
      ...rest,
    })
  const mine = async (blocks: number) => {
    for (let block = 0; block < blocks; block += 1) await anvil.ask('evm_mine')
  }
  const deploy = async (data: string): Promise<string> => {
    const id = await send({ data, gas: 5_000_000 })
    await mine(1)
    const { contractAddress } = await anvil.ask<{ contractAddress: string }>('eth_getTransactionReceipt', id)
    return getAddress(contractAddress)
  }
  const { token, splitter } = compileContracts()
  const deployToken = (decimals: number) =>
    deploy(encodeDeployData({ abi: ABI, bytecode: token, args: [decimals] }))
  const tokens: Partial<Record<Asset, string>> = { USDT: await deployToken(6), USDC: await deployToken(6) }
  const splitterAddress = await deploy(splitter)
  const transactionOf = ({ asset, address, amount }: TestPayment): Transaction =>
    asset === 'ETH'
      ? { to: address, value: parseUnits(amount, 18) }
      : {
          to: tokens[asset] ?? '',
          data: encodeFunctionData({
            abi: ABI,
            functionName: 'transfer',
            args: [address as `0x${string}`, parseUnits(amount, 6)],
          }),
        }
  return {
    anvil,
    chainId: CHAIN_ID,
    send,
    mine,
    deployToken,
    tokens,
    splitter: splitterAddress,
    newAddress: () => getAddress(`0x${randomBytes(20).toString('hex')}`),
    pay: async (payments: readonly TestPayment[]) => {
      const ids: string[] = []
      for (const payment of payments) ids.push(await send(transactionOf(payment)))
      return ids
    },
    /** Sends ETH through a contract: no transaction names the address. */
    payByContract: (address: string, amount: string) =>
      send({
        to: splitterAddress,
        value: parseUnits(amount, 18),
        data: encodeFunctionData({ abi: ABI, functionName: 'pay', args: [address as `0x${string}`] }),
      }),
    /** The head's number stays: as many blocks take the place of the newest ones. */
    reorganise: async (depth: number, transactions: 'dropped' | 'mined again') => {
      const head = Number(await anvil.ask<string>('eth_blockNumber'))
      const again: [string, number][] = []
      for (let number = head - depth + 1; transactions === 'mined again' && number <= head; number += 1) {
        const block = await anvil.ask<{ transactions: string[] }>(
          'eth_getBlockByNumber',
          `0x${number.toString(16)}`,
          false,
        )
        for (const id of block.transactions)
          again.push([await anvil.ask<string>('eth_getRawTransactionByHash', id), 0])
      }
      await anvil.ask('anvil_reorg', depth, again)
    },
  }
}

/** The chain behind an endpoint that can fail. */
export const startEthereumFixture = async (): Promise<BlockSourceFixture> => {
  const chain = await startChain()
  const proxy: FaultProxy = await startFaultProxy(chain.anvil.url)
  const open = (timeoutMs: number) =>
    createEthereumBlockSource({
      urls: [`http://127.0.0.1:${proxy.port}`],
      chainId: CHAIN_ID,
      tokens: chain.tokens,
      timeoutMs,
    })
  const source = open(60_000)
  const impatient = open(500)
  return {
    source,
    impatient,
    assets: ['ETH', 'USDT', 'USDC'],
    newAddress: chain.newAddress,
    pay: chain.pay,
    mine: chain.mine,
    reorganise: chain.reorganise,
    seesPending: false,
    fault: proxy.fault,
    stop: async () => {
      await Promise.all([source.close(), impatient.close()])
      await proxy.stop()
      await chain.anvil.stop()
    },
  }
}
