import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, pageParameters, Timestamp } from '../primitives.ts'

/** Data that an erasure keeps, why, and until when; null: no known end. */
export const Remaining = z.object({
  what: z.enum(['kyb_records', 'acceptances', 'identity', 'requirement_messages', 'payments', 'backups']),
  why: z.string(),
  until: Timestamp.nullable(),
})
export type Remaining = z.infer<typeof Remaining>

export const ErasedData = z.enum([
  'email',
  'names',
  'kyb_data',
  'documents',
  'acceptance_evidence',
  'external_customer_id',
  'identity',
  'requirement_messages',
])
export type ErasedData = z.infer<typeof ErasedData>

export const PersonalRecord = z.object({
  kind: z.enum(['customer', 'kyb_data', 'document', 'acceptance', 'requirement']),
  id: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type PersonalRecord = z.infer<typeof PersonalRecord>

const params = z.object({ partnerCustomerId: idOf('relationship') })

export const PersonalRecordList = z.object({ records: z.array(PersonalRecord), next_cursor: NextCursor })

/** `onboarding.personal-data`: export and erasure of what is stored about one customer of one partner. */
export const personalData = resource('onboarding.personal-data', {
  export: operation({
    operationId: 'exportPersonalData',
    summary: 'Export what is stored about a customer of one partner, in pages',
    description: 'Use it to answer a request for information about a customer.',
    caller: 'operator',
    params,
    query: z.object(pageParameters),
    reply: PersonalRecordList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  erase: operation({
    operationId: 'erasePersonalData',
    summary: 'Erase the personal data of a revoked relationship, and report what remains and why',
    description:
      'Use it to answer a request for erasure, once the relationship is revoked. The answer says what has to stay, why, and until when.',
    caller: 'operator',
    params,
    reply: z.object({ erased: z.array(ErasedData), remaining: z.array(Remaining) }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
