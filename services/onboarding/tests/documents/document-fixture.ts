import { createBlobs, newId, openBlobStore } from '@causeway/chassis'
import { documents } from '@causeway/contracts'
import { newPartner, startForTests } from '../running-onboarding.ts'

type Partner = ReturnType<typeof newPartner>
export type TestCustomer = Readonly<{ partner: Partner; id: string; merchantId: string }>
type Fields = Readonly<Record<string, unknown>>

export const BYTES = Buffer.from('%PDF-1.7 evidence')

/** Starts a service with its blob store, with the gateway's calls of an upload. */
export const startWithDocuments = async () => {
  const onboarding = await startForTests()
  const store = await openBlobStore({ kind: 'jetstream' }, onboarding)
  const blobs = createBlobs(store)
  const at = ({ partner, id }: TestCustomer) => ({ partner, params: { customerId: id } })

  const begin = (customer: TestCustomer) =>
    onboarding.ask(documents.createUpload, customer.partner, { params: { customerId: customer.id } })
  /** Stores bytes regardless of the state of their upload. */
  const arrive = (blobKey: string) => {
    const pieces = async function* () {
      yield BYTES
    }
    return blobs.write(blobKey, pieces())
  }
  /** Stores bytes as the gateway does, and returns the body of its next call. */
  const stored = async (customer: TestCustomer) => {
    const begun = await begin(customer)
    if (!begun.ok) throw new Error(begun.code)
    const { blob_key } = begun.value
    return { blob_key, blob_secret: await arrive(blob_key) }
  }
  const create = (customer: TestCustomer, blob: Fields, over: Fields = {}) =>
    onboarding.ask(documents.create, customer.partner, {
      params: { customerId: customer.id },
      body: {
        document_type: 'bank_statement',
        file_name: 'Kontoauszug März.pdf',
        mime_type: 'application/pdf',
        file_size_bytes: BYTES.length,
        ...blob,
        ...over,
      },
    })

  return {
    ...onboarding,
    store,
    blobs,
    begin,
    stored,
    arrive,
    create,
    async upload(customer: TestCustomer, over: Fields = {}) {
      const created = await create(customer, await stored(customer), over)
      if (!created.ok) throw new Error(JSON.stringify(created))
      return created.value.document
    },
    discard: (customer: TestCustomer, blob_key: string) =>
      onboarding.ask(documents.deleteUpload, customer.partner, { ...at(customer), body: { blob_key } }),
    documentsOf: ({ partner, id }: TestCustomer, query: Fields = {}) =>
      onboarding.ask(documents.list, partner, { params: { customerId: id }, query }),
    download: (partner: Partner, documentId: string) =>
      onboarding.ask(documents.createDownload, partner, { params: { documentId } }),
    open: (token: string) => onboarding.ask(documents.getDownload, { kind: 'public' }, { params: { token } }),
    async customer(partner: Partner = newPartner(), email = `${newId('request')}@example.com`) {
      const created = await onboarding.newCustomer(partner, newId('request'), email)
      return { partner, id: created.partner_customer_id, merchantId: created.customer_id }
    },
  }
}
