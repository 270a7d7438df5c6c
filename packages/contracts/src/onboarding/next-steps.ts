import { z } from 'zod'
import { UnavailableReason } from './capabilities.ts'
import { customerParams } from './customers.ts'
import { DocumentType } from './documents.ts'
import { operation, resource } from '../operation.ts'
import { CapabilityName, idOf } from '../primitives.ts'

/** What can be done next, in the order of decisions §21. */
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

/** What a step is about; which fields there are depends on the step. */
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
    summary: 'Read what is left to do until everything granted is available',
    description:
      'Use it to show a customer what comes next: every thing that keeps a granted capability from being available or the case from its next state, in an order in which it can be done.',
    params: customerParams,
    reply: NextStepList,
    refusals: ['resource_not_found'],
  }),
  listByStaff: operation({
    operationId: 'listCustomerNextSteps',
    summary: 'Read what is left to do for one partner’s customer',
    description:
      'Use it to answer a partner or a merchant that asks what is missing, and to see what waits for staff: the steps of the actor `service`.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    reply: NextStepList,
    refusals: ['resource_not_found'],
  }),
})
