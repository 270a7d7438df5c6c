import { blobContext, newId, queryNone } from '@causeway/chassis'
import {
  REQUIRED_DOCUMENT_TYPES,
  requirements,
  reviews,
  verifications,
  type DocumentType,
} from '@causeway/contracts'
import { fileNameContext } from '../../src/documents/presentation.ts'
import { COMPLETE } from './kyb-data.ts'
import { newPartner, OPERATOR, type Partner, type RunningOnboarding } from '../running-onboarding.ts'

const insertDocument = queryNone({
  name: 'test.insert-document',
  parameters: {
    id: 'text',
    partnerId: 'text',
    customerId: 'text',
    type: 'text',
    name: 'text',
    now: 'timestamptz',
    secret: 'text',
  },
  text: `
    INSERT INTO documents (id, partner_id, partner_customer_id, document_type, file_name_sealed, mime_type,
                           file_size_bytes, status, blob_key, blob_secret_sealed, uploaded_at)
    VALUES (:id, :partnerId, :customerId, :type, :name, 'application/pdf', 3, 'uploaded', :id, :secret, :now)`,
})

/** Calls of the KYB operations over the real bus. */
export const kybCalls = (onboarding: RunningOnboarding) => {
  const { ask, clock, db } = onboarding
  const { vault } = onboarding.ring
  const addDocument = async (partner: Partner, customerId: string, type: DocumentType | 'other') => {
    const id = newId('document')
    const secret = vault.seal('secret', blobContext(id))
    const name = vault.seal(`${type}.pdf`, fileNameContext(id))
    const { partnerId } = partner
    await insertDocument(db, { id, partnerId, customerId, type, name, now: clock.now(), secret })
    return id
  }
  const calls = {
    addDocument,
    /** Inserts one document of each type. */
    async addDocuments(partner: Partner, customerId: string) {
      for (const type of REQUIRED_DOCUMENT_TYPES) await addDocument(partner, customerId, type)
    },
    submit: (partner: Partner, customerId: string, body?: unknown) =>
      ask(verifications.submit, partner, { params: { customerId }, body }),
    getByCustomer: (partner: Partner, customerId: string) =>
      ask(verifications.getByCustomer, partner, { params: { customerId } }),
    read: (partner: Partner, verificationId: string) =>
      ask(verifications.get, partner, { params: { verificationId } }),
    schema: (partner: Partner) => ask(verifications.getSchema, partner, {}),
    queue: (query: Record<string, string> = {}) => ask(reviews.list, OPERATOR, { query }),
    getCase: (verificationId: string, query: Record<string, string> = {}) =>
      ask(reviews.get, OPERATOR, { params: { verificationId }, query }),
    approve: (verificationId: string, version?: number, reason?: string) =>
      ask(reviews.approve, OPERATOR, {
        params: { verificationId },
        body: { version, reason },
      }),
    reject: (verificationId: string, reason = 'other', version?: number) =>
      ask(reviews.reject, OPERATOR, {
        params: { verificationId },
        body: { rejection_reason: reason, ...(version === undefined ? {} : { version }) },
      }),
    raise: (partner: Partner, customerId: string, body: unknown) =>
      ask(requirements.raise, partner, { params: { customerId }, body }),
    raiseByStaff: (customerId: string, body: unknown) =>
      ask(requirements.raiseByStaff, OPERATOR, { params: { customerId }, body }),
    requirementsOf: (partner: Partner, customerId: string, query: Record<string, string> = {}) =>
      ask(requirements.list, partner, { params: { customerId }, query }),
    requirement: (partner: Partner, customerId: string, requirementId: string) =>
      ask(requirements.get, partner, { params: { customerId, requirementId } }),
    update: (partner: Partner, customerId: string, requirementId: string, body: unknown) =>
      ask(requirements.update, partner, { params: { customerId, requirementId }, body }),
    updateByStaff: (requirementId: string, body: unknown) =>
      ask(requirements.updateByStaff, OPERATOR, { params: { requirementId }, body }),
  }
  let customers = 0
  /** Creates a customer of a new partner. */
  const newCustomer = async (email?: string) => {
    customers += 1
    const partner = newPartner()
    const address = email ?? `kyb-${customers}@example.com`
    const customer = await onboarding.newCustomer(partner, `shop-${customers}`, address)
    return { partner, id: customer.partner_customer_id, merchant: customer.customer_id }
  }
  /** A POST that must succeed. */
  const write = async ({ partner, id }: KybCustomer, body?: unknown) =>
    valueOf(await calls.submit(partner, id, body))
  return {
    ...calls,
    newCustomer,
    write,
    /** Creates a customer whose case is pending. */
    async newPending(email?: string) {
      const customer = await newCustomer(email)
      await calls.addDocuments(customer.partner, customer.id)
      const { verification } = await write(customer, COMPLETE)
      if (verification.status !== 'pending') throw new Error(`The case is ${verification.status}`)
      return { ...customer, verificationId: verification.verification_id }
    },
    /** The version of a case as staff read it. */
    versionOf: async (verificationId: string) =>
      valueOf(await calls.getCase(verificationId)).verification.version ?? 0,
    /** The reply of a GET. */
    stored: async ({ partner, id }: KybCustomer) =>
      valueOf(await calls.getByCustomer(partner, id)).verification,
    /** The events to a relationship's partner. */
    noticesTo: async ({ id }: KybCustomer) =>
      (await onboarding.events()).flatMap((event) =>
        event.partners.filter((notice) => notice.partner_customer_id === id),
      ),
  }
}
export type KybCustomer = Readonly<{ partner: Partner; id: string }>
export type KybCalls = ReturnType<typeof kybCalls>

/** The value of an outcome that must be a success. */
export const valueOf = <T>(
  outcome: { ok: true; value: T } | { ok: false; code: string; details?: unknown },
): T => {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome))
  return outcome.value
}
