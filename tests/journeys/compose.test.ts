import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CapabilityName } from '@causeway/contracts'
import { SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { walkTour } from '../../scripts/demo/tour.ts'
import { readyPartner } from '@causeway/dev-env/platform/ready-partner'
import { newCustomer, newPartner, orderBody } from './platform.ts'
import { prepareCompose, startCompose } from './compose-platform.ts'

/** deploy/postgres/create-databases.sh is written for it, as the postgres image has it. */
const hasPsql = spawnSync('psql', ['--version']).status === 0
const describeWithPsql = hasPsql ? describe : describe.skip
const skipped = hasPsql ? '' : ' (skipped: no psql; apt-get install postgresql-client)'

const PUBLIC_BASE_URL = 'https://causeway.example'

describeWithPsql(`docker-compose.yml with the sandbox${skipped}`, () => {
  test('takes a customer from the first token to orders paid by crypto, card and onramp', async () => {
    const platform = await startCompose({ hasSandbox: true, env: { PUBLIC_BASE_URL } })
    try {
      const partner = await readyPartner({ ...platform, file: `${platform.folder}/partner.json` })
      if (partner === null) throw new Error('The partner of the first start was not made')
      const steps: string[] = []
      await walkTour(
        { ...platform, partner, mayMoveTime: false },
        { step: (title) => steps.push(title), exchange: () => {}, log: (line) => steps.push(line) },
      )
      const received = steps
        .filter((line) => line.startsWith('received'))
        .map((line) => line.split(/[ ,]/)[1])
      expect(received).toEqual(
        expect.arrayContaining(['verification.approved', 'payment.confirmed', 'payment.chargeback']),
      )
    } finally {
      await platform.stop()
    }
  })
})

describeWithPsql(`docker-compose.yml in production${skipped}`, () => {
  const rates = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://rates')
    const asked = { asset: searchParams.get('asset'), currency: searchParams.get('currency') }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...asked, price: '50000', at: new Date(Date.now()).toISOString() }))
  })
  let platform: Awaited<ReturnType<typeof startCompose>>
  beforeAll(async () => {
    await new Promise<void>((resolve) => rates.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(rates.address() as AddressInfo).port}`
    platform = await startCompose({
      hasSandbox: false,
      env: {
        PUBLIC_BASE_URL,
        RATES_URL: url,
        NETWORKS_LIVE: 'BTC',
        BTC_ACCOUNT: SANDBOX_ACCOUNTS.BTC,
      },
      secrets: {
        stripe_secret_key: 'sk_test_compose',
        stripe_webhook_secret: 'whsec_compose',
        // Nobody listens there: payments starts all the same, for card orders need no node.
        btc_node_urls: 'http://user:password@127.0.0.1:9',
      },
    })
  })
  afterAll(async () => {
    await platform.stop()
    rates.close()
  })

  test('serves customers and orders; the onramp, which is not configured, and http destinations are refused', async () => {
    const { staff } = platform
    const { partnerId, causeway } = await newPartner(platform, {
      name: 'Production',
      default_capabilities: CapabilityName.options,
    })
    const destination = await staff.post(`/api/operator/partners/${partnerId}/webhooks`, {
      url: 'http://127.0.0.1:9/hook',
    })
    expect(destination.status).toBe(400)
    const { customerId } = await newCustomer(platform, causeway)
    const { order } = await causeway.createCryptoOrder({
      customerId,
      body: orderBody('order-1'),
    })
    expect(order).toMatchObject({ status: 'pending', qrUrl: `${PUBLIC_BASE_URL}/qr/${order.id}.png` })
    await expect(
      causeway.createOnrampOrder({ orderId: order.id, body: { fiat: 'EUR' } }),
    ).rejects.toMatchObject({
      status: 503,
    })
  })
})

describe('docker-compose.yml with nothing set but the address', () => {
  test('stops payments and refunds with a line that says what to set', async () => {
    const prepared = await prepareCompose({ hasSandbox: false, hasServers: false, env: { PUBLIC_BASE_URL } })
    try {
      await expect(prepared.start('payments')).rejects.toThrow(
        'NETWORKS_LIVE names BTC, which has no node: set BTC_NODE_URLS or BTC_ESPLORA_URLS',
      )
      await expect(prepared.start('refunds')).rejects.toThrow(
        'refunds: Bad settings: no card processor: set STRIPE_SECRET_KEY, or CARD_URL in development',
      )
    } finally {
      await prepared.stop()
    }
  })
})
