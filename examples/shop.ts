/** The part of a partner's program that is independent of its HTTP server: sign up merchants, sell, follow payments. */
import { createPartnerClient, type Input, type Schemas } from '@causeway/client'
import { repetitionKey, type PartnerEvent } from '@causeway/webhook-verifier'

export type Settings = Readonly<{
  baseUrl: string
  clientId: string
  clientSecret: string
  /** Shown once, when staff created the destination. */
  webhookSecret: string
}>
export type Application = Readonly<{
  shopId: string
  email: string
  verification: Input<'submitVerification'>['body']
  /** Each file in base64. */
  documents: Readonly<Record<Schemas['DocumentType'], string>>
}>

export const createShop = (settings: Settings) => {
  const causeway = createPartnerClient(settings)
  // In your database: the keys under a unique index, written in the transaction that uses them.
  const seen = new Set<string>()
  const paid = new Set<string>()
  return {
    /** Repeatable: a step that was done is done again without harm. */
    async signUp({ shopId, email, verification, documents }: Application) {
      const customer = await causeway.createCustomer({ body: { external_customer_id: shopId, email } })
      const { partner_customer_id: customerId } = customer
      for (const [type, file] of Object.entries(documents))
        await causeway.uploadDocument({
          customerId,
          body: {
            document_type: type as Schemas['DocumentType'],
            file: Buffer.from(file, 'base64'),
            file_name: `${type}.pdf`,
          },
        })
      for await (const { agreement_id: agreementId, version } of causeway.listAgreements.all({ customerId }))
        await causeway.acceptAgreement({
          customerId,
          agreementId,
          body: {
            agreement_version: version,
            acceptance_channel: 'partner_web',
            accepted_at: new Date().toISOString(),
            evidence: {},
          },
        })
      const { submitted, incomplete_fields } = await causeway.submitVerification({
        customerId,
        body: verification,
      })
      return { customerId, submitted, incomplete_fields }
    },

    async sell(customerId: string, invoice: string, euros: number) {
      const { order } = await causeway.createCryptoOrder({
        customerId,
        body: {
          reference: invoice,
          network: 'ETH',
          asset: 'USDC',
          amount: euros,
          currency: 'EUR',
          email: 'buyer@example.com',
        },
      })
      return { orderId: order.id, payTo: order.paymentUri }
    },

    /** Takes a verified event, once. */
    async take(event: PartnerEvent) {
      if (seen.has(repetitionKey(event))) return
      seen.add(repetitionKey(event))
      if (event.event_type === 'payment.confirmed') paid.add(event.data.order_id)
    },

    isPaid: (orderId: string) => paid.has(orderId),
  }
}
