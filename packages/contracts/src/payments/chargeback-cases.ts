import { z } from 'zod'
import { customerParams } from '../onboarding/customers.ts'
import { OrderKey } from './fiat-orders.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  pageParameters,
  Timestamp,
} from '../primitives.ts'

export const ChargebackCaseKind = z.enum(['ip', 'email'])
export const ChargebackCaseStatus = z.enum(['active', 'lifted'])

/** A payer's IP or e-mail address that is blocked after a dispute (decisions §10). */
export const ChargebackCase = z.object({
  case_id: idOf('chargebackCase'),
  kind: ChargebackCaseKind,
  value_masked: z.string(),
  status: ChargebackCaseStatus,
  /** The first orders that were disputed, at most 1,000. */
  order_keys: z.array(OrderKey),
  created_at: Timestamp,
  lifted_at: Timestamp.nullable(),
})
export type ChargebackCase = z.infer<typeof ChargebackCase>

export const ChargebackCaseList = z.object({
  chargeback_cases: z.array(ChargebackCase),
  next_cursor: NextCursor,
})

/** A case with its owner, as staff see it. */
export const ChargebackCaseOfCustomer = ChargebackCase.extend({
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
})

/** `payments.chargeback-cases` (decisions §10). */
export const chargebackCases = resource('payments.chargeback-cases', {
  list: operation({
    operationId: 'listChargebackCases',
    http: get('/customers/:customerId/chargeback-cases', { scopes: ['payments:read'] }),
    tag: 'Chargebacks',
    summary: 'List the chargeback cases of a customer, newest first',
    description: 'Use it to see which payers are blocked after a dispute, and the disputed orders.',
    params: customerParams,
    query: z.object(pageParameters),
    reply: ChargebackCaseList,
    refusals: ['invalid_cursor'],
  }),
  listByStaff: operation({
    operationId: 'listCustomersChargebackCases',
    http: get('/chargeback-cases'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the active chargeback cases of all customers, newest first',
    description: 'Use it to see which payers are blocked, and for which customers of which partners.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ chargeback_cases: z.array(ChargebackCaseOfCustomer), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  lift: operation({
    operationId: 'liftChargebackCase',
    http: post('/customers/:customerId/chargeback-cases/:caseId/lift', { scopes: ['payments:create'] }),
    tag: 'Chargebacks',
    summary: 'Lift a chargeback case',
    description: 'Use it once a dispute is settled, so that the payer can pay again.',
    params: customerParams.extend({ caseId: idOf('chargebackCase') }),
    reply: z.object({ chargeback_case: ChargebackCase }),
    refusals: ['invalid_state'],
  }),
})
