import { KybWrite, REQUIRED_DOCUMENT_TYPES } from '@causeway/contracts'
import { z } from 'zod'
import { requiredAtSubmission } from './completeness.ts'

/**
 * The contract for forms: JSON Schema 2020-12 of a verification write, made from the very schema that validates it,
 * with enums inline. It judges a write by itself; what shows only on the merged data the endpoint judges.
 */
export const onboardingSchema = () => ({
  schema: z.toJSONSchema(KybWrite, { target: 'draft-2020-12', io: 'input', reused: 'inline' }),
  required_at_submission: requiredAtSubmission(),
  document_types: [...REQUIRED_DOCUMENT_TYPES],
})
