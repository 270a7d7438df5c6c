import { NotFoundError, type PartnerClient } from '@causeway/client'
import { PARTNER_TOOLS } from './generated/tools.ts'
import type { Tool } from './tool.ts'

type Options = Readonly<{ signal: AbortSignal }>
type Customer = Readonly<{ customerId: string }>
type Part = keyof typeof PARTNER_TOOLS

/** Reads the progress of the case, without the merchant's verification data. */
const caseOf = async (client: PartnerClient, customer: Customer, options: Options) => {
  const { verification } = await client.getCustomerVerification(customer, options)
  const { verification_id, status, rejection_reason, submitted_at, reviewed_at, expires_at } = verification
  return { verification_id, status, rejection_reason, submitted_at, reviewed_at, expires_at }
}

const openRequirements = async (client: PartnerClient, customer: Customer, options: Options) => {
  const { requirements } = await client.listRequirements({ ...customer, status: 'open' }, options)
  return requirements
}

const missingAgreements = async (client: PartnerClient, customer: Customer, options: Options) => {
  const missing = []
  for await (const agreement of client.listAgreements.all(customer, options)) {
    const { agreement_id, title, version, status, document_url } = agreement
    if (status !== 'accepted') missing.push({ agreement_id, title, version, status, document_url })
  }
  return missing
}

const documentsOf = async (client: PartnerClient, customer: Customer, options: Options) => {
  const documents = []
  for await (const document of client.listDocuments.all(customer, options)) {
    const { document_id, document_type, status, rejection_reason } = document
    documents.push({ document_id, document_type, status, rejection_reason })
  }
  return documents
}

/**
 * One answer to the question why a merchant cannot be paid: what several reads say, without what does not bear on it.
 * A part that the token does not allow is named under `not_read`.
 */
export const whyNotLive = (client: PartnerClient): Tool => ({
  name: 'whyNotLive',
  description:
    'Why a customer (merchant) is not live: its capabilities with what each waits for, how far its verification is, ' +
    'open requirements, documents and agreements that are not accepted. Use it first where somebody asks why a ' +
    'merchant cannot take payments or refund. `verification` is null until data was sent; of a draft, ' +
    'getVerificationSchema says what is asked for. What the token may not read is under `not_read`.',
  scopes: PARTNER_TOOLS.getCustomer.scopes,
  inputSchema: PARTNER_TOOLS.getCustomer.inputSchema,
  async run(customer: Customer, options: Options) {
    // First: of a customer that is not there nothing else is asked.
    const { relationship_status, external_customer_id } = await client.getCustomer(customer, options)
    const held = new Set(await client.scopes(options))
    const notRead: string[] = []
    const read = async <T>(part: Part, ask: () => Promise<T>): Promise<T | null | undefined> => {
      const lacking = PARTNER_TOOLS[part].scopes.filter((scope) => !held.has(scope))
      if (lacking.length > 0) {
        notRead.push(`${part} needs ${lacking.join(' and ')}`)
        return undefined
      }
      return ask().catch((error: unknown) => {
        // The customer is there: what is not is the case, before the first write to it.
        if (error instanceof NotFoundError) return null
        throw error
      })
    }
    const [capabilities, verification, requirements, documents, agreements] = await Promise.all([
      read('listCapabilities', () => client.listCapabilities(customer, options)),
      read('getCustomerVerification', () => caseOf(client, customer, options)),
      read('listRequirements', () => openRequirements(client, customer, options)),
      read('listDocuments', () => documentsOf(client, customer, options)),
      read('listAgreements', () => missingAgreements(client, customer, options)),
    ])
    return {
      partner_customer_id: customer.customerId,
      external_customer_id,
      relationship_status,
      capabilities: capabilities?.capabilities,
      verification,
      open_requirements: requirements,
      documents,
      agreements_not_accepted: agreements,
      not_read: notRead,
    }
  },
})
