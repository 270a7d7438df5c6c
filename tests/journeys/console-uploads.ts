import type { PartnerClient } from '@causeway/client'
import { eventually } from '@causeway/chassis/testing'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { cardOrderBody } from '@causeway/scenario'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { violationsOf } from '../../sandbox/tests/violations.ts'
import { openConsole, type ConsolePage } from '../screens/console-page.ts'
import type { TestPlatform } from './platform.ts'

type Fixture = Readonly<{
  platform: TestPlatform
  causeway: PartnerClient
  customerId: string
  browser: Browser
}>

const LINES = 200
const STATEMENT_BYTES = 9_000_000
const TOO_LARGE_BYTES = 17 * 1024 * 1024

/** A statement of 9 MB: few lines with a long column that is not read, so that the platform has little to match. */
const statement = (): Buffer => {
  const filler = 'x'.repeat(STATEMENT_BYTES / LINES)
  const rows = Array.from(
    { length: LINES },
    (_, at) => `upload ${at},2026-11-28,${at + 1},EUR,Invoice ${at},,${filler}`,
  )
  const header = 'line_id,booked_at,amount_cents,currency,reference,counterparty,note'
  return Buffer.from([header, ...rows, 'upload x,2026-11-28,0,EUR,,,'].join('\n'))
}

const REPORT = Buffer.from(
  [
    'line_id,kind,processor_order_id,gross_cents,fee_cents,net_cents,currency,available_on,payout_ref',
    'upload-1,payment,order-1,10000,165,9835,EUR,2026-11-28,batch-1',
    'upload-2,payout,,-9835,0,-9835,EUR,2026-11-28,batch-1',
  ].join('\n'),
)

/** Files that finance uploads in the console, in the browser and on the platform that its caller has started. */
export const describeConsoleUploads = (fixture: () => Fixture): void =>
  describe('the console’s file forms', () => {
    let visit: ConsolePage
    const open = async (javaScriptEnabled: boolean) => {
      const { browser, platform } = fixture()
      const body = { name: 'Finance', role: 'finance' }
      const { key } = dataOf<{ key: string }>(await platform.staff.post('/api/operator/staff-keys', body))
      visit = await openConsole(browser, { baseUrl: platform.baseUrl, key, javaScriptEnabled })
      return visit.page
    }
    afterEach(async () => {
      expect(visit.errors).toEqual([])
      await visit.close()
    })

    test('imports a bank statement of 9 MB without JavaScript, and says what is wrong with other files', async () => {
      const page = await open(false)
      const upload = async (name: string, buffer: Buffer) => {
        await page
          .getByLabel('Statement of the bank')
          .setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
        await page.getByRole('button', { name: 'Import the file' }).click()
      }
      const alert = page.getByRole('alert')
      await page.getByRole('link', { name: 'Payouts to send' }).click()
      await page.getByRole('link', { name: 'Bank statement' }).click()
      await page.getByRole('button', { name: 'Import the file' }).click()
      await alert.getByText('Choose a file.').waitFor()
      await upload('empty.csv', Buffer.alloc(0))
      await alert.getByText('This file is empty. Choose a different one.').waitFor()
      await upload('statement.xlsx', Buffer.from('PK\u0003\u0004 of a spreadsheet'))
      await alert.getByText('not a spreadsheet or a PDF').waitFor()
      await upload('large.csv', Buffer.alloc(TOO_LARGE_BYTES, 'a'))
      await alert.getByText('Choose a file of at most 16 MB').waitFor()

      await upload('statement.csv', statement())
      await page.getByText(`New lines: ${LINES}. Already known: 0. Rejected lines: 1.`).waitFor()
      const rejected = page.getByRole('table', { name: 'Rejected lines' }).getByRole('row')
      expect(await rejected.last().innerText()).toMatch(/^202\s+amount_cents/)
      await upload('statement.csv', statement())
      await page.getByText(`New lines: 0. Already known: ${LINES}. Rejected lines: 1.`).waitFor()
    })

    test('imports a settlement report once, after a processor that is not known', async () => {
      const { causeway, customerId, platform } = fixture()
      const body = await cardOrderBody(causeway, customerId)
      const { order } = await causeway.createFiatOrder({ customerId, body })
      await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' })
      await eventually(async () => {
        const { body: balance } = await platform.staff.get('/api/operator/ledger/trial-balance')
        return JSON.stringify(balance).includes('processor:processor:receivable')
      })
      const page = await open(true)
      const upload = async (processor: string) => {
        await page.getByLabel('Processor').fill(processor)
        await page
          .getByLabel('Settlement report')
          .setInputFiles({ name: 'report.csv', mimeType: 'text/csv', buffer: REPORT })
        await page.getByRole('button', { name: 'Import the file' }).dblclick()
      }
      await page.getByRole('link', { name: 'Books', exact: true }).click()
      await page.getByRole('link', { name: 'Settlement reports' }).click()
      expect(await violationsOf(page)).toEqual([])
      await upload('nobody')
      await page.getByRole('alert').getByText('Enter a processor with payments in the books.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await upload('processor')
      await page.getByText('New lines: 2. Already known: 0. Rejected lines: 0.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await upload('processor')
      await page.getByText('New lines: 0. Already known: 2. Rejected lines: 0.').waitFor()
    })
  })
