import { z } from 'zod'
import { get, post } from '../http/methods.ts'
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
    http: get('/customers/:partnerCustomerId/personal-data'),
    role: 'admin',
    tag: 'Personal data',
    summary: 'Export the data of a partner’s customer, in pages',
    description: 'Use it to answer a customer’s access request.',
    caller: 'operator',
    params,
    query: z.object(pageParameters),
    reply: PersonalRecordList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  erase: operation({
    operationId: 'erasePersonalData',
    http: post('/customers/:partnerCustomerId/erase'),
    role: 'admin',
    tag: 'Personal data',
    fourEyes: ['erasure'],
    repeatable: true,
    summary: 'Erase the personal data of a revoked relationship, and report what remains and why',
    description:
      'Use it for an erasure request, after revoking the relationship. The response lists what must stay, why, and until when.',
    caller: 'operator',
    params,
    reply: z.object({ erased: z.array(ErasedData), remaining: z.array(Remaining) }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
