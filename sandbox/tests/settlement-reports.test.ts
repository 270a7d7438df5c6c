import { openCardProcessors } from '@causeway/rails/cards'
import { openSettlementReports, readSettlementCsv, type SettlementReport } from '@causeway/rails/settlements'
import { checkoutRequest } from '@causeway/rails/tests/card-fixture'
import { describeSettlementReport, type SettlementFixture } from '@causeway/rails/tests/settlement-suite'
import { request } from 'undici'
import type { Sandbox } from '../src/sandbox.ts'
import { CARD_SECRET, startSandbox } from '../src/testing/index.ts'
import { control } from './control.ts'
import { startFakePlatform } from './fake-platform.ts'

/** Never met, however slow the machine is. */
const PATIENT_MS = 120_000
const IMPATIENT_MS = 1_000

/** The report as staff download it: a file has one page. */
const csvReport = (sandbox: Sandbox, processor: string): SettlementReport => ({
  processor,
  read: async (position) => {
    const url = `${sandbox.url()}/control/card/settlement-report?processor=${processor}`
    const { lines, rejected } = readSettlementCsv(await (await request(url)).body.text())
    if (rejected.length > 0) throw new Error(JSON.stringify(rejected))
    return { lines: lines.slice(Number(position ?? 0)), position: String(lines.length), isLast: true }
  },
  close: () => Promise.resolve(),
})

const start = async (key: string, isCsv: boolean): Promise<SettlementFixture> => {
  const sandbox = await startSandbox({ cardPort: 0 })
  const platform = await startFakePlatform()
  const account = { sandbox: { baseUrl: sandbox.cardUrl(), secret: CARD_SECRET } }
  const bounds = { timeoutMs: PATIENT_MS, connections: 8 }
  const processors = await openCardProcessors({ ...bounds, accounts: account })
  const reportsOf = (timeoutMs: number) => openSettlementReports({ ...bounds, timeoutMs, accounts: account })
  const all = await Promise.all([reportsOf(PATIENT_MS), reportsOf(IMPATIENT_MS)])
  const [report, impatient] = all.map((reports) => reports.get(key))
  const processor = processors.get(key)
  if (!processor || !report || !impatient) throw new Error(`no processor ${key}`)
  const orderKeys = new Map<string, string>()
  const act = async (method: 'POST' | 'PUT', path: string, body: unknown, status = 200) => {
    const answer = await control(sandbox, method, `/control/${path}`, body)
    if (answer.status !== status) throw new Error(`the sandbox answered ${answer.status}`)
  }
  const keyOf = (processorOrderId: string) => orderKeys.get(processorOrderId) ?? ''
  return {
    report: isCsv ? csvReport(sandbox, key) : report,
    impatient: isCsv ? null : impatient,
    pay: async (cents, currency) => {
      const change = { totalCents: cents, refundableCents: cents, currency }
      const made = checkoutRequest(platform.noticeUrl, change)
      const { processorOrderId } = await processor.createCheckout(made)
      orderKeys.set(processorOrderId, made.orderKey)
      await act('POST', `card-payments/${made.orderKey}`, { outcome: 'completed' })
      return processorOrderId
    },
    refund: (id, amount_cents) => act('POST', `card-refunds/${keyOf(id)}`, { amount_cents }),
    dispute: (id) => act('POST', `chargebacks/${keyOf(id)}`, {}),
    settle: () => act('POST', 'card/settle', { processor: key }, 201),
    fault: (mode) => act('PUT', 'faults', { target: 'card', mode, calls: 'all' }),
    stop: async () => {
      for (const reports of all) for (const each of reports.values()) await each.close()
      for (const each of processors.values()) await each.close()
      await sandbox.stop()
      await platform.close()
    },
  }
}

describeSettlementReport('sandbox, in parts', () => start('processor', false))
describeSettlementReport('sandbox, full value only', () => start('processor_full', false))
describeSettlementReport('CSV', () => start('processor', true))
