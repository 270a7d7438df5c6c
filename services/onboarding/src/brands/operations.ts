import { implement, refuse, reply, type Db, type Implementation } from '@causeway/chassis'
import { brands, type Brand, type ShownFor } from '@causeway/contracts'
import { encodeLogo, type EncodedLogo } from './logo.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{ db: Db; publicBaseUrl: string }>
type Customer = Readonly<{ partnerId: string; partnerCustomerId: string }>

const NOTHING: store.BrandFields = {
  name: null,
  accentColor: null,
  supportAddress: null,
  logoHash: null,
  logoWidth: null,
  logoHeight: null,
}

const present = (publicBaseUrl: string, fields: store.BrandFields): Brand => {
  const { name, accentColor, supportAddress, logoHash, logoWidth, logoHeight } = fields
  return {
    name,
    accent_color: accentColor,
    support_address: supportAddress,
    logo:
      logoHash === null || logoWidth === null || logoHeight === null
        ? null
        : {
            url: `${publicBaseUrl}/logos/${logoHash}`,
            content_hash: logoHash,
            width: logoWidth,
            height: logoHeight,
          },
  }
}

type Change = Readonly<{
  name?: string | null | undefined
  accent_color?: string | null | undefined
  support_address?: string | null | undefined
}>

const valuesOf = ({ name = null, accent_color = null, support_address = null }: Change) => ({
  name,
  accentColor: accent_color,
  supportAddress: support_address,
})

const logoValuesOf = (logo: EncodedLogo | null) => ({
  logo: logo?.png ?? null,
  logoHash: logo?.hash ?? null,
  logoWidth: logo?.width ?? null,
  logoHeight: logo?.height ?? null,
})

const encode = (contentBase64: string) => encodeLogo(Buffer.from(contentBase64, 'base64'))

const replyPartner = async ({ db, publicBaseUrl }: Dependencies, partnerId: string) =>
  reply({ brand: present(publicBaseUrl, (await store.getOfPartner(db, { partnerId })) ?? NOTHING) })

const putOfPartner = async (deps: Dependencies, partnerId: string, body: Change, now: Date) => {
  await store.upsertOfPartner(deps.db, { partnerId, ...valuesOf(body), now })
  return replyPartner(deps, partnerId)
}

const putLogoOfPartner = async (deps: Dependencies, partnerId: string, contentBase64: string, now: Date) => {
  const encoded = await encode(contentBase64)
  if (!encoded.ok) return refuse('invalid_request', encoded.details)
  await store.upsertLogoOfPartner(deps.db, { partnerId, ...logoValuesOf(encoded.logo), now })
  return replyPartner(deps, partnerId)
}

const deleteLogoOfPartner = async ({ db }: Dependencies, partnerId: string, now: Date) => {
  await store.upsertLogoOfPartner(db, { partnerId, ...logoValuesOf(null), now })
  return reply({})
}

const replyCustomer = async ({ db, publicBaseUrl }: Dependencies, customer: Customer) => {
  const found = await store.getOfCustomer(db, customer)
  return found === null
    ? refuse('resource_not_found')
    : reply({
        brand: present(publicBaseUrl, found.own),
        effective_brand: present(publicBaseUrl, found.effective),
      })
}

const putOfCustomer = async (deps: Dependencies, customer: Customer, body: Change, now: Date) => {
  const stored = await store.upsertOfCustomer(deps.db, { ...customer, ...valuesOf(body), now })
  return stored === null ? refuse('resource_not_found') : replyCustomer(deps, customer)
}

/** Finds the customer first: nobody spends the time of an encoder on a customer that is not there. */
const putLogoOfCustomer = async (
  deps: Dependencies,
  customer: Customer,
  contentBase64: string,
  now: Date,
) => {
  if ((await store.getOfCustomer(deps.db, customer)) === null) return refuse('resource_not_found')
  const encoded = await encode(contentBase64)
  if (!encoded.ok) return refuse('invalid_request', encoded.details)
  const stored = await store.upsertLogoOfCustomer(deps.db, {
    ...customer,
    ...logoValuesOf(encoded.logo),
    now,
  })
  return stored === null ? refuse('resource_not_found') : replyCustomer(deps, customer)
}

const deleteLogoOfCustomer = async ({ db }: Dependencies, customer: Customer, now: Date) => {
  const stored = await store.upsertLogoOfCustomer(db, { ...customer, ...logoValuesOf(null), now })
  return stored === null ? refuse('resource_not_found') : reply({})
}

/** Finds the brand of a page: of a relationship, of a merchant, or of a partner. */
const findShown = async (db: Db, page: ShownFor): Promise<store.BrandFields | null> => {
  const { partner_id: partnerId, partner_customer_id: partnerCustomerId, merchant_id: merchantId } = page
  if (partnerCustomerId !== undefined) return store.getShownOfRelationship(db, { partnerCustomerId })
  if (merchantId !== undefined) return store.getShownOfMerchant(db, { merchantId })
  return partnerId === undefined ? null : store.getOfPartner(db, { partnerId })
}

/** `onboarding.brands` (decisions §53). */
export const brandOperations = (deps: Dependencies): Implementation[] =>
  implement(brands, {
    get: ({ caller: { partnerId } }) => replyPartner(deps, partnerId),
    put: ({ caller: { partnerId }, body, now }) => putOfPartner(deps, partnerId, body, now),
    putLogo: ({ caller: { partnerId }, body, now }) =>
      putLogoOfPartner(deps, partnerId, body.content_base64, now),
    deleteLogo: ({ caller: { partnerId }, now }) => deleteLogoOfPartner(deps, partnerId, now),
    getOfCustomer: ({ caller: { partnerId }, params: { customerId } }) =>
      replyCustomer(deps, { partnerId, partnerCustomerId: customerId }),
    putOfCustomer: ({ caller: { partnerId }, params: { customerId }, body, now }) =>
      putOfCustomer(deps, { partnerId, partnerCustomerId: customerId }, body, now),
    putLogoOfCustomer: ({ caller: { partnerId }, params: { customerId }, body, now }) =>
      putLogoOfCustomer(deps, { partnerId, partnerCustomerId: customerId }, body.content_base64, now),
    deleteLogoOfCustomer: ({ caller: { partnerId }, params: { customerId }, now }) =>
      deleteLogoOfCustomer(deps, { partnerId, partnerCustomerId: customerId }, now),
    getByStaff: ({ params: { partnerId } }) => replyPartner(deps, partnerId),
    putByStaff: ({ params: { partnerId }, body, now }) => putOfPartner(deps, partnerId, body, now),
    putLogoByStaff: ({ params: { partnerId }, body, now }) =>
      putLogoOfPartner(deps, partnerId, body.content_base64, now),
    deleteLogoByStaff: ({ params: { partnerId }, now }) => deleteLogoOfPartner(deps, partnerId, now),
    async getShown({ body }) {
      const found = await findShown(deps.db, body)
      return reply({ brand: found && present(deps.publicBaseUrl, found) })
    },
    async getLogo({ params: { contentHash } }) {
      const found = await store.getLogo(deps.db, { contentHash })
      return found === null
        ? refuse('resource_not_found')
        : reply({ content_base64: found.logo.toString('base64') })
    },
  })
