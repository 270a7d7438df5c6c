import { z } from 'zod'
import { UnavailableReason } from './capabilities.ts'
import { customerParams } from './customers.ts'
import { DocumentType } from './documents.ts'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { CapabilityName, idOf } from '../primitives.ts'

/** Possible next steps, in the order of decisions §21. */
export const NEXT_STEPS = [
  'start_verification',
  'complete_fields',
  'upload_documents',
  'submit_verification',
  'accept_agreement',
  'answer_requirement',
  'await_review',
  'renew_verification',
  'await_reinstatement',
  'reduce_disputes',
  'confirm_link',
] as const
export const NextStepName = z.enum(NEXT_STEPS)
export type NextStepName = z.infer<typeof NextStepName>

/** The object of a step; the fields depend on the step. */
export const NextStepResource = z.object({
  /** `complete_fields`: dotted paths of a verification write. */
  fields: z.array(z.string()).optional(),
  /** `upload_documents`. */
  document_types: z.array(DocumentType).optional(),
  /** `accept_agreement`. */
  agreement_id: idOf('agreement').optional(),
  agreement_version: z.string().optional(),
  document_url: z.string().optional(),
  /** `answer_requirement`. */
  requirement_id: idOf('requirement').optional(),
  /** `reduce_disputes`: the disputed share of the window's paid card orders; null until it was measured. */
  share: z.number().nullable().optional(),
  threshold: z.number().nullable().optional(),
  window_hours: z.number().nullable().optional(),
})

/** One thing that keeps a granted capability from being available, or the case from its next state (decisions §21). */
export const NextStep = z.object({
  step: NextStepName,
  /** The granted capabilities that wait for it. */
  capabilities: z.array(CapabilityName),
  /** Who has to act; `service`: the platform's staff. */
  actor: z.enum(['partner', 'merchant', 'service']),
  /** The reason of the unavailable capabilities that the step removes; null where it keeps none back. */
  reason: UnavailableReason.nullable(),
  /** One sentence for people. */
  message: z.string(),
  resource: NextStepResource.nullable(),
})
export type NextStep = z.infer<typeof NextStep>

export const NextStepList = z.object({ next_steps: z.array(NextStep) })

/** Agreements, and requirements, that one list names at the most; further ones follow once these are done. */
export const MAX_STEPS_OF_A_KIND = 100

/** `onboarding.next-steps` (decisions §21). */
export const nextSteps = resource('onboarding.next-steps', {
  list: operation({
    operationId: 'listNextSteps',
    http: get('/customers/:customerId/next-steps', { scopes: ['customers:read'] }),
    tag: 'Customers',
    summary: 'List the steps until all granted capabilities are available',
    description:
      'Use it to show a customer the next steps: everything that blocks a granted capability or the case, in a workable order.',
    params: customerParams,
    reply: NextStepList,
    refusals: ['resource_not_found'],
  }),
  listByStaff: operation({
    operationId: 'listCustomerNextSteps',
    http: get('/customers/:partnerCustomerId/next-steps'),
    role: 'viewer',
    tag: 'Relationships',
    summary: 'List the remaining steps for a partner’s customer',
    description:
      'Use it to tell a partner or merchant what is missing. Steps of the actor `service` wait for staff.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: NextStepList,
    refusals: ['resource_not_found'],
  }),
})
