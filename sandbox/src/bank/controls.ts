import type { Clock } from '@causeway/chassis'
import { BankFileError, readPaymentFile, type ReceivedPaymentFile } from '@causeway/rails/bank'
import express, { Router } from 'express'
import { z } from 'zod'
import { parseRequest, SandboxError } from '../http/answers.ts'
import type { Account } from './account.ts'
import { toCamtStatement, toCsvStatement } from './statements.ts'

/** Above the limit of the reader, which names it. */
const XML_LIMIT = '17mb'

const ReturnRequest = z.strictObject({
  reference: z.string().min(1).max(35),
  /** Length limit of the field in the statement. */
  reason: z.string().min(1).max(105),
})
const StatementQuery = z.strictObject({ format: z.enum(['camt053', 'csv']).default('camt053') })

const refuseFile = (expected: string): SandboxError =>
  new SandboxError(400, 'invalid_request', `The payment file was not booked. ${expected}`, [
    { field: 'body', reason: 'invalid_value', expected },
  ])

const parseFile = (body: unknown): ReceivedPaymentFile => {
  if (typeof body !== 'string')
    throw refuseFile('Send pain.001 as the body, with the Content-Type application/xml.')
  try {
    return readPaymentFile(body)
  } catch (error) {
    if (error instanceof BankFileError) throw refuseFile(error.message)
    throw error
  }
}

/** Control endpoints of the platform's bank: payment files, returns and the statement (decisions §51). */
export const bankControls = (account: Account, clock: Clock): Router => {
  const routes = Router()
  const xml = express.text({ type: ['application/xml', 'text/xml'], limit: XML_LIMIT })

  routes.post('/bank/payments', xml, (request, response) => {
    const file = parseFile(request.body)
    const lineIds = account.book(file)
    response.status(201).json({ message_id: file.messageId, booked: lineIds.length, line_ids: lineIds })
  })

  routes.post('/bank/return', (request, response) => {
    const { reference, reason } = parseRequest(ReturnRequest, request.body)
    response.status(201).json({ line_id: account.returnPayment(reference, reason) })
  })

  routes.get('/bank/statement', (request, response) => {
    const { format } = parseRequest(StatementQuery, request.query)
    const lines = account.lines()
    if (format === 'csv') response.type('text/csv').send(toCsvStatement(lines))
    else response.type('application/xml').send(toCamtStatement(lines, clock.nowMs()))
  })

  return routes
}
