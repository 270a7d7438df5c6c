import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { cardNotices, chargebacks, fiatOrders, integrations } from '@causeway/contracts'
import { KEEPS_IDLE_CONNECTIONS, eventually, TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { createSandbox, type Sandbox } from '@causeway/sandbox'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

const SECRET = 'shared by both in this test'
const PATH = /^\/api\/callbacks\/cards\/([^/]+)(\/authorizations)?$/

let payments: RunningPayments
let fiat: FiatCalls
let sandbox: Sandbox
let door: Server

/** Relays a processor's callback as the gateway does. */
const openDoor = async (): Promise<string> => {
  door = createServer(KEEPS_IDLE_CONNECTIONS, (incoming, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const [, processor = '', isQuestion] = PATH.exec(incoming.url ?? '') ?? []
      const body = {
        headers: incoming.headers as Record<string, string>,
        raw_body_base64: Buffer.concat(chunks).toString('base64'),
      }
      const input = { params: { processor }, body }
      const answer =
        isQuestion === undefined
          ? await payments.ask(cardNotices.receive, { kind: 'public' }, input)
          : await payments.ask(cardNotices.authorize, { kind: 'public' }, input)
      response
        .writeHead(answer.ok ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.ok ? { data: answer.value } : { error: { code: answer.code } }))
    })()
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(door.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const publicBaseUrl = await openDoor()
  sandbox = createSandbox({
    host: '127.0.0.1',
    port: 0,
    chainPort: null,
    cardPort: 0,
    cardSecret: SECRET,
    publicUrl: null,
    dataFolder: null,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
  })
  await sandbox.start()
  const sandboxCards = { baseUrl: sandbox.cardUrl(), secret: SECRET }
  const cards = { connections: 8, accounts: { sandbox: sandboxCards } }
  payments = await startForTests({ publicBaseUrl, cards })
  fiat = createFiatCalls(payments)
})
afterAll(async () => {
  await sandbox.stop()
  await payments.stop()
  await new Promise((resolve) => door.close(resolve))
})

const control = async (path: string, body: unknown): Promise<unknown> => {
  const answer = await request(`${sandbox.url()}/control${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const value: unknown = await answer.body.json()
  if (answer.statusCode !== 200) throw new Error(`${path}: ${JSON.stringify(value)}`)
  return value
}
const becomes = (partner: Partner, orderKey: string, expected: object) =>
  eventually(async () => {
    const read = await fiat.get(partner, orderKey)
    expect(read.ok && read.value.order).toMatchObject(expected)
    return true
  })

describe("the sandbox's card processors", () => {
  it('pay, refund and dispute an order, whose payer is then blocked on the page', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const order = await fiat.newOrder(partner, customerId, integrationId)
    expect(order.order_url.startsWith(sandbox.url())).toBe(true)
    const payer = { payer_ip: '198.51.100.4', payer_email: 'buyer@example.com' }
    const waiting = await fiat.newOrder(partner, customerId, integrationId)

    await control(`/card-payments/${order.order_key}`, { outcome: 'completed', ...payer })
    await becomes(partner, order.order_key, { status: 'paid' })
    await control(`/card-refunds/${order.order_key}`, { amount_cents: 500 })
    await becomes(partner, order.order_key, { status: 'paid', refunded_cents: 500 })
    await control(`/chargebacks/${order.order_key}`, { amount_cents: null })
    await becomes(partner, order.order_key, {
      status: 'chargeback',
      refunded_cents: 0,
      chargeback_cents: 10_000,
    })
    expect(
      await control(`/card-payments/${waiting.order_key}`, { outcome: 'completed', ...payer }),
    ).toMatchObject({
      allowed: false,
    })
    await becomes(partner, waiting.order_key, { status: 'pending' })
    expect((await payments.eventsOf(order.order_id)).map(({ name }) => name)).toEqual([
      'payment.pending',
      'payment.confirmed',
      'payment.refunded',
      'payment.chargeback',
    ])
  })

  it('send a buyer without a shop to return to to the page of the order, which shows it by its id alone', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const change = { service_fee_payer: 'customer', merchant_reference: 'inv-7' } as const
    const order = await fiat.newOrder(partner, customerId, integrationId, change)
    const read = () =>
      payments.ask(fiatOrders.getByBuyer, { kind: 'public' }, { params: { orderId: order.order_id } })
    const shown = {
      order_id: order.order_id,
      status: 'pending',
      merchant_name: expect.any(String),
      description: 'inv-7',
      total_cents: 10_250,
      service_fee_cents: 250,
      refunded_cents: 0,
      currency: 'EUR',
      order_url: order.order_url,
      return_url: null,
      completed_at: null,
    }
    expect(await read()).toEqual({ ok: true, value: { order: shown, branded_by: customerId } })
    const page = await request(order.order_url)
    expect(await page.body.text()).toContain(`href="${order.pay_url}"`)

    await control(`/card-payments/${order.order_key}`, { outcome: 'completed' })
    await becomes(partner, order.order_key, { status: 'paid' })
    await control(`/card-refunds/${order.order_key}`, { amount_cents: 500 })
    await becomes(partner, order.order_key, { status: 'paid', refunded_cents: 500 })
    expect(await read()).toMatchObject({
      value: { order: { status: 'paid', refunded_cents: 500, completed_at: expect.any(String) } },
    })
    const other = { params: { orderId: newId('fiatOrder') } }
    expect(await payments.ask(fiatOrders.getByBuyer, { kind: 'public' }, other)).toEqual({
      ok: false,
      code: 'resource_not_found',
    })
  })

  it('offer the way back to the shop that fits the state of the order', async () => {
    const { partner, customerId } = await fiat.newShop()
    const urls = { return_url: 'https://shop.example/thanks', failure_url: 'https://shop.example/basket' }
    const made = await payments.ask(integrations.create, partner, {
      params: { customerId },
      body: { name: 'Shop', ...urls },
      idempotencyKey: 'shop-1',
    })
    if (!made.ok) throw new Error(made.code)
    const order = await fiat.newOrder(partner, customerId, made.value.integration.integration_id)
    const read = () =>
      payments.ask(fiatOrders.getByBuyer, { kind: 'public' }, { params: { orderId: order.order_id } })
    expect(await read()).toMatchObject({ value: { order: { return_url: urls.failure_url } } })
    await control(`/card-payments/${order.order_key}`, { outcome: 'completed' })
    await becomes(partner, order.order_key, { status: 'paid' })
    expect(await read()).toMatchObject({ value: { order: { return_url: urls.return_url } } })
  })

  it('report disputes by their file when they send no notices of them', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const staff = { kind: 'operator' as const, actor: 'staff' }
    const chosen = { params: { integrationId }, body: { processor: 'processor_full' } }
    expect(await payments.ask(integrations.updateProcessor, staff, chosen)).toMatchObject({ ok: true })
    const order = await fiat.newOrder(partner, customerId, integrationId)
    expect(order.psp).toBe('Sandbox Full')
    await control(`/card-payments/${order.order_key}`, { outcome: 'completed' })
    await becomes(partner, order.order_key, { status: 'paid' })
    await control(`/chargebacks/${order.order_key}`, {})
    const file = await request(`${sandbox.url()}/control/dispute-file?processor=processor_full`)
    const csv = await file.body.text()
    expect(await payments.ask(chargebacks.importFile, staff, { body: { csv } })).toEqual({
      ok: true,
      value: { imported: 1, duplicates: 0, rejected: [] },
    })
    await becomes(partner, order.order_key, { status: 'chargeback' })
  })
})
