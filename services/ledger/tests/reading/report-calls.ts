import { eventually } from '@causeway/chassis/testing'
import { reports, type Report, type ReportFormat, type ReportType } from '@causeway/contracts'
import type { RunningLedger } from '../running-ledger.ts'

type Asked = Partial<{
  type: ReportType
  format: ReportFormat
  from: string
  to: string
  as_of: string
  partner_customer_id: string
}>
type Rows = Readonly<{ rows: Readonly<Record<string, unknown>>[] }>

/**
 * Calls about reports of one partner, unless another is named.
 * @param ledger returns the running ledger, which starts after its tests are declared
 * @param asked the partner, and the period of a report that names none
 */
export const reportCalls = (
  ledger: () => RunningLedger,
  { partner, from, to }: Readonly<{ partner: string; from: Date; to: Date }>,
) => {
  const create = (change: Asked = {}, partnerId = partner, idempotencyKey?: string) =>
    ledger().asPartner(reports.create, partnerId, {
      body: {
        ...{ type: 'activity', format: 'json' },
        ...{ from: from.toISOString(), to: to.toISOString(), as_of: to.toISOString() },
        ...change,
      },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
  const get = (reportId: string, partnerId = partner) =>
    ledger().asPartner(reports.get, partnerId, { params: { reportId } })
  const reportOf = (answer: Awaited<ReturnType<typeof create>>): Report => {
    if (!answer.ok) throw new Error(`${answer.code} ${JSON.stringify(answer.details)}`)
    return answer.value.report
  }
  /** Creates a report and waits until it is made, or has failed. */
  const ended = async (change: Asked = {}, partnerId = partner): Promise<Report> => {
    const { report_id: reportId } = reportOf(await create(change, partnerId))
    let report = reportOf(await get(reportId, partnerId))
    await eventually(async () => {
      report = reportOf(await get(reportId, partnerId))
      return ['ready', 'failed'].includes(report.status)
    })
    return report
  }
  const tokenOf = ({ url }: Report) => (url ?? '').replace('https://api.example/downloads/reports/', '')
  const ask = <O extends 'getFile' | 'getPart'>(name: O, params: Record<string, string>) =>
    ledger().ask(reports[name], { kind: 'public' }, { params })
  /** The bytes of a report, as the gateway reads them. */
  const bytesOf = async (report: Report): Promise<Buffer> => {
    const token = tokenOf(report)
    const file = await ask('getFile', { token })
    if (!file.ok) throw new Error(file.code)
    const parts: Buffer[] = []
    for (let part = 0; part < file.value.parts; part += 1) {
      const read = await ask('getPart', { token, part: String(part) })
      if (!read.ok) throw new Error(read.code)
      parts.push(Buffer.from(read.value.content_base64, 'base64'))
    }
    return Buffer.concat(parts)
  }
  const rowsOf = async (change: Asked = {}, partnerId = partner) =>
    (JSON.parse((await bytesOf(await ended(change, partnerId))).toString()) as Rows).rows
  return { create, get, reportOf, ended, tokenOf, ask, bytesOf, rowsOf }
}
