import { valueOf, type KybCalls } from '../verifications/kyb-calls.ts'

export const asked = { kind: 'clarification', message: 'Which shop is this?' } as const
export const notFound = { ok: false, code: 'resource_not_found' }
export const refused = (from: string, to: string) => ({
  ok: false,
  code: 'invalid_state',
  details: [{ from, to }],
})
export const invalid = (field: string, reason: string, hint = {}) => ({
  ok: false,
  code: 'invalid_request',
  details: [{ field, reason, ...hint }],
})

type Customer = Awaited<ReturnType<KybCalls['newCustomer']>>

/** Calls and values that tests of requirements share. */
export const requirementCalls = (kyb: KybCalls) => {
  let pairs = 0
  return {
    /** Two partners of one merchant that have both started its verification. */
    async newPair() {
      pairs += 1
      const email = `pair-${pairs}@example.com`
      const [one, two] = [await kyb.newCustomer(email), await kyb.newCustomer(email)]
      await kyb.write(one)
      await kyb.write(two)
      return { one, two, merchant: one.merchant, email }
    },
    raise: async (customer: Customer, body: unknown = asked) =>
      valueOf(await kyb.raise(customer.partner, customer.id, body)).requirement,
    change: (customer: Customer, requirementId: string, status: string, documentId?: string) =>
      kyb.update(customer.partner, customer.id, requirementId, {
        status,
        ...(documentId === undefined ? {} : { document_id: documentId }),
      }),
    noticesOf: async (customer: Customer, type: string) =>
      (await kyb.noticesTo(customer)).filter((notice) => notice.type === type).map((notice) => notice.data),
  }
}
