import { createLogger } from '@causeway/chassis'
import type { Transfer } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { createHandCheck } from '../../src/crypto-refunds/hand-check.ts'
import type { RefundSource } from '../../src/crypto-refunds/refund-source.ts'
import { createScriptedChain, type ScriptedChain } from '../blocks/scripted-chain.ts'

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SOMEBODY = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const DEPTH = 3
const idOf = (digit: string) => `0x${digit.repeat(64)}`
const SENT = idOf('a')

let chain: ScriptedChain
beforeEach(() => {
  chain = createScriptedChain('ETH')
})

const source = (asset: 'ETH' | 'USDC' = 'USDC'): RefundSource => ({
  orderId: null,
  unattributedMoneyId: null,
  network: 'ETH',
  asset,
  keyIndex: 1,
  fromAddress: SOMEBODY,
  amount: '12.5',
  coins: [],
  moneyIds: [],
})
const transfer = (change: Partial<Transfer> = {}): Transfer => ({
  asset: 'USDC',
  address: TO,
  txId: SENT,
  outputIndex: 1,
  amount: '12.5',
  ...change,
})
const mine = (transfers: readonly Transfer[], silent: Parameters<ScriptedChain['mine']>[1] = []) => {
  const { number } = chain.mine(transfers, silent)
  for (let block = 1; block < DEPTH; block += 1) chain.mine()
  return number
}
const checkWith = (hasNode: boolean) =>
  createHandCheck({
    sources: new Map(hasNode ? [['ETH', chain.source] as const] : []),
    confirmations: { ...CONFIRMATION_DEPTHS, ETH: DEPTH },
    log: createLogger({ service: 'test', level: 'silent' }),
    timeoutFactor: 1,
  })
const check = (body: object = {}, asset: 'ETH' | 'USDC' = 'USDC') =>
  checkWith(true)(source(asset), { to_address: TO, tx_id: SENT, ...body })
const refused = (field: string, reason: string, expected: string, more: object = {}) => ({
  ok: false,
  code: 'invalid_request',
  details: [{ field, reason, expected, ...more }],
})
const recorded = (txBlock: number | null, more: object = {}) => ({
  ok: true,
  value: { sent: { txId: SENT, txBlock, sentAmount: null, networkFee: null, ...more } },
})

describe('a refund that staff sent', () => {
  test('is recorded with its block if its transaction pays the address the amount, in one transfer or several', async () => {
    const number = mine([transfer({ amount: '12' }), transfer({ amount: '0.5', outputIndex: 2 })])
    expect(await check()).toMatchObject(recorded(number))
    expect(await check({ tx_id: `0x${'A'.repeat(64)}`, to_address: TO.toLowerCase() })).toMatchObject(
      recorded(number),
    )
  })

  test('is refused without a transaction, with a text that is no id, and with an unknown transaction', async () => {
    mine([transfer()])
    const required = 'the transaction with which the refund was sent'
    expect(await check({ tx_id: undefined })).toMatchObject(refused('tx_id', 'required', required))
    const noId = refused('tx_id', 'invalid_value', 'a transaction id of ETH')
    for (const txId of ['sent-in-this', 'a'.repeat(64), `${SENT}a`])
      expect(await check({ tx_id: txId })).toMatchObject(noId)
    expect(await check({ tx_id: idOf('b') })).toMatchObject(
      refused('tx_id', 'invalid_value', 'a transaction in a block of ETH'),
    )
  })

  test.each([
    ['another address', { address: SOMEBODY }],
    ['another asset', { asset: 'USDT' as const }],
    ['another asset of more', { asset: 'ETH' as const, amount: '13' }],
  ])('is refused if its transaction pays %s', async (_, change) => {
    mine([transfer(change)])
    expect(await check()).toMatchObject(
      refused('tx_id', 'invalid_value', `a transaction that pays ${TO} in USDC`),
    )
  })

  test('is refused if its transaction pays too little, also where another transaction pays the rest', async () => {
    mine([transfer({ amount: '12.499999' }), transfer({ txId: idOf('c'), amount: '5' })])
    expect(await check()).toMatchObject(
      refused('tx_id', 'invalid_value', `a transaction that pays ${TO} at least 12.5 USDC`, {
        paid: '12.499999',
        recorded: '0',
      }),
    )
  })

  test('is refused until its transaction has the confirmations from which a deposit counts', async () => {
    const { number } = chain.mine([transfer()])
    for (const confirmations of [1, 2]) {
      expect(await check()).toMatchObject(
        refused('tx_id', 'invalid_value', 'a transaction with at least 3 confirmations', { confirmations }),
      )
      chain.mine()
    }
    expect(await check()).toMatchObject(recorded(number))
    chain.rewind(DEPTH)
    chain.mine()
    expect(await check()).toMatchObject({ ok: false, details: [{ field: 'tx_id' }] })
  })

  test('is recorded if a contract sent the coin, which only the balance shows', async () => {
    const wei = 125n * 10n ** 17n
    const other = transfer({ asset: 'ETH', txId: idOf('c'), outputIndex: 0, amount: '12.5' })
    // The token's transfer places the transaction in the block.
    const call = transfer({ amount: '1', address: SOMEBODY })
    mine([call, other])
    expect(await check({}, 'ETH')).toMatchObject({ ok: false })
    chain = createScriptedChain('ETH')
    const number = mine([call, other], [{ address: TO, wei }])
    expect(await check({}, 'ETH')).toMatchObject(recorded(number))
  })

  test('is refused with a request to retry while the nodes do not respond', async () => {
    mine([transfer()])
    chain.fail(1)
    expect(await check()).toMatchObject({ ok: false, code: 'temporarily_unavailable' })
    expect(await check()).toMatchObject({ ok: true })
  })

  test('is recorded unchecked, with or without a transaction, where the network has no node', async () => {
    const ask = (tx_id?: string) =>
      checkWith(false)(source(), { to_address: TO, ...(tx_id !== undefined && { tx_id }) })
    expect(await ask('sent-in-this')).toMatchObject(recorded(null, { txId: 'sent-in-this' }))
    expect(await ask()).toMatchObject(recorded(null, { txId: null }))
  })

  test('is recorded with the network’s fee where staff state that less arrives, in the coin of the network alone', async () => {
    const number = mine([transfer({ asset: 'ETH', amount: '12.4', outputIndex: 0 })])
    expect(await check({}, 'ETH')).toMatchObject({ ok: false, details: [{ paid: '12.4' }] })
    expect(await check({ sent_amount: '12.40' }, 'ETH')).toMatchObject(
      recorded(number, { sentAmount: '12.4', networkFee: '0.1' }),
    )
    expect(await check({ sent_amount: '12.6' }, 'ETH')).toMatchObject(
      refused('sent_amount', 'too_big', 'at most 12.5 ETH'),
    )
    expect(await check({ sent_amount: '0.0' }, 'ETH')).toMatchObject(
      refused('sent_amount', 'too_small', 'more than 0 ETH'),
    )
    expect(await check({ sent_amount: '12' })).toMatchObject({
      details: [{ field: 'sent_amount', reason: 'too_small' }],
    })
    expect(await check({ sent_amount: '12.1234567' })).toMatchObject(
      refused('sent_amount', 'invalid_value', 'an amount with at most 6 decimals'),
    )
  })
})
