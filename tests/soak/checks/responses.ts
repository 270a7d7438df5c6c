import { ERRORS, type ErrorCode } from '@causeway/contracts'
import type { Act, Entry } from '../journal.ts'
import type { Findings } from './findings.ts'

/** Refusals of each act in addition to 500 and 503: its scenario causes no others. */
const REFUSALS: Readonly<Partial<Record<Act, readonly ErrorCode[]>>> = {
  'crypto.cancel': ['invalid_state'],
  'crypto.onramp': ['invalid_state', 'provider_error'],
  'card.create': ['provider_error'],
  'refund.create': ['order_not_paid', 'nothing_to_refund', 'amount_exceeds_remaining', 'provider_error'],
  staff: ['invalid_state'],
  'case.step': ['invalid_state'],
}
const READS: readonly Act[] = ['crypto.read', 'card.read', 'list.read']

const isDocumented = ({ act, status, code }: Entry): boolean => {
  // The gateway was killed or its answer was lost with the connection.
  if (status === 0) return true
  if (status < 300) return true
  if (code === null || !(code in ERRORS) || ERRORS[code as ErrorCode].status !== status) return false
  if (code === 'temporarily_unavailable') return true
  // A read that fails has done nothing: 503 says so, and 500 would not.
  if (code === 'internal_error') return !READS.includes(act)
  return REFUSALS[act]?.includes(code as ErrorCode) ?? false
}

/** No call was answered with what is not documented for it. */
export const checkResponses = (entries: readonly Entry[], findings: Findings): void => {
  for (const entry of entries)
    if (!entry.act.startsWith('outside.'))
      findings.expect('wrong', 'documented responses', isDocumented(entry), () => {
        const { act, about, key, status, code } = entry
        return `${act} of ${about ?? key ?? ''} was answered ${status} ${code ?? ''}`
      })
}
