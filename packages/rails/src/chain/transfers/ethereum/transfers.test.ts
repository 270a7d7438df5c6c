import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { encodeFunctionData, type Hex } from 'viem'
import { hasAnvil } from '../../../../tests/ethereum/anvil.ts'
import { compile } from '../../../../tests/ethereum/contracts.ts'
import { startEthereumTransfers } from '../../../../tests/ethereum/transfers-fixture.ts'
import { describeReplacements } from '../../../../tests/replacement-suite.ts'
import { describeTransfers } from '../../../../tests/transfers-suite.ts'
import { DELEGATE_ABI, DELEGATE_CODE } from './deposit-delegate.ts'

const SWEPT = 20

test('uses the delegate code to which its source compiles', () => {
  const source = readFileSync(new URL('DepositDelegate.sol', import.meta.url), 'utf8')
  const codeOf = compile(source, {
    evmVersion: 'prague',
    optimizer: { enabled: true, runs: 200 },
    metadata: { bytecodeHash: 'none', appendCBOR: false },
  })
  expect(codeOf('DepositDelegate')).toBe(DELEGATE_CODE)
})

const describeOnNode = hasAnvil() ? describe : describe.skip

describeOnNode('transfers of Ethereum on a real node', () => {
  describeTransfers('ETH', () => startEthereumTransfers('ETH', false))
  describeTransfers('a token by EIP-7702', () => startEthereumTransfers('USDT', true))
  describeTransfers('a token without EIP-7702', () => startEthereumTransfers('USDT', false))
  describeReplacements('ETH', () => startEthereumTransfers('ETH', false))
  describeReplacements('a token by EIP-7702', () => startEthereumTransfers('USDT', true))
  describeReplacements('a token without EIP-7702', () => startEthereumTransfers('USDT', false))

  test('empties twenty addresses by one transaction, at 40,000 gas each, and cheaper the second time', async () => {
    const { transfers, pay, mine, newRecipient, holdings, stop, chain } = await startEthereumTransfers(
      'USDT',
      true,
    )
    const toAddress = await newRecipient()
    const fromIndices = Array.from({ length: SWEPT }, (_, at) => 2_000 + at)
    const gas: number[] = []
    for (let round = 0; round < 2; round += 1) {
      for (const index of fromIndices) await pay(transfers.addressOf(index), '12.5')
      const signed = await transfers.signSweep({ fromIndices, asset: 'USDT', toAddress }, [])
      if (signed === null) throw new Error('nothing to sweep')
      expect(signed.sources).toHaveLength(SWEPT)
      await transfers.broadcast(signed)
      await mine(1)
      const receipt = await chain.anvil.ask<{ gasUsed: string }>('eth_getTransactionReceipt', signed.txId)
      gas.push(Number(receipt.gasUsed) / SWEPT)
    }
    expect(await holdings(toAddress)).toBe('500')
    expect(gas[0]).toBeLessThan(40_000)
    expect(gas[1]).toBeLessThan(20_000)
    await stop()
  })

  test('lets only the gas account move what a delegated address holds', async () => {
    const { transfers, pay, mine, newRecipient, holdings, stop, chain } = await startEthereumTransfers(
      'USDT',
      true,
    )
    const address = transfers.addressOf(2_100)
    await pay(address, '2')
    const toAddress = await newRecipient()
    const signed = await transfers.sign({ fromIndex: 2_100, asset: 'USDT', toAddress, amount: '1' }, [])
    await transfers.broadcast(signed)
    await mine(1)
    const data = encodeFunctionData({
      abi: DELEGATE_ABI,
      functionName: 'send',
      args: [chain.token, toAddress as Hex, 1_000_000n],
    })
    // The gas account itself may: the same call, asked and not sent.
    await chain.anvil.ask('eth_call', { from: transfers.gasAddress, to: address, data }, 'latest')
    expect(await chain.send({ to: address, data })).toMatchObject({ status: '0x0' })
    expect(await chain.send({ to: address, value: 5n })).toMatchObject({ status: '0x1' })
    expect(await holdings(address)).toBe('1')
    await stop()
  })

  test('refuses gas above the limit and an empty gas account, and says what to do', async () => {
    const { transfers, pay, newRecipient, stop, chain, open } = await startEthereumTransfers('USDT', true)
    await pay(transfers.addressOf(2_200), '2')
    const request = { fromIndex: 2_200, asset: 'USDT', toAddress: await newRecipient(), amount: '1' } as const
    await chain.anvil.ask('anvil_setNextBlockBaseFeePerGas', '0x2540be400')
    await chain.mine(1)
    const thrifty = open(60_000, 1)
    await expect(thrifty.sign(request, [])).rejects.toMatchObject({
      refusal: 'fee_above_limit',
      message: expect.stringContaining('ETH_GAS_PRICE_MAX'),
    })
    await thrifty.close()
    await chain.anvil.ask('anvil_setBalance', transfers.gasAddress, '0x1')
    await expect(transfers.sign(request, [])).rejects.toMatchObject({
      refusal: 'gas_account_empty',
      message: expect.stringContaining(transfers.gasAddress ?? ''),
    })
    await stop()
  })

  test('reports a token transfer that fails in its block as reverted, with the fee that it cost', async () => {
    const { transfers, pay, mine, newRecipient, stop } = await startEthereumTransfers('USDT', true)
    await pay(transfers.addressOf(2_300), '2')
    const request = { fromIndex: 2_300, asset: 'USDT', toAddress: await newRecipient(), amount: '2' } as const
    const first = await transfers.sign(request, [])
    // As if the first had been forgotten and its nonce were known to be used.
    const second = await transfers.sign(request, [{ ...first, sources: [] }])
    await transfers.broadcast(first)
    await transfers.broadcast(second)
    await mine(1)
    expect(await transfers.progressOf(first)).toMatchObject({ state: 'mined' })
    expect(await transfers.progressOf(second)).toEqual({
      state: 'failed',
      reason: 'reverted',
      confirmations: 1,
      networkFee: expect.stringMatching(/^0\.0*[1-9]/),
    })
    expect(await transfers.confirmationsOf(second)).toBe(null)
    await stop()
  })
})
