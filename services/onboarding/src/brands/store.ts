import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const Fields = z.object({
  name: z.string().nullable(),
  accentColor: z.string().nullable(),
  supportAddress: z.string().nullable(),
  logoHash: z.string().nullable(),
  logoWidth: z.number().nullable(),
  logoHeight: z.number().nullable(),
})
export type BrandFields = z.infer<typeof Fields>

const FIELDS = ['name', 'accent_color', 'support_address', 'logo_hash', 'logo_width', 'logo_height'] as const
const listOf = (alias: string): string => FIELDS.map((field) => `${alias}.${field}`).join(', ')

/** The brand of a relationship: each field of it, else of its partner. A logo's parts belong together. */
const EFFECTIVE = `
  coalesce(own.name, base.name) AS name, coalesce(own.accent_color, base.accent_color) AS accent_color,
  coalesce(own.support_address, base.support_address) AS support_address,
  coalesce(own.logo_hash, base.logo_hash) AS logo_hash, coalesce(own.logo_width, base.logo_width) AS logo_width,
  coalesce(own.logo_height, base.logo_height) AS logo_height`

const WITH_BRANDS = `
  LEFT JOIN brands own ON own.partner_id = r.partner_id AND own.partner_customer_id = r.id
  LEFT JOIN brands base ON base.partner_id = r.partner_id AND base.partner_customer_id IS NULL`

/** The brand that a partner has set for itself. */
export const getOfPartner = queryOne({
  name: 'brands.get-of-partner',
  parameters: { partnerId: 'text' },
  text: `SELECT ${listOf('b')} FROM brands b WHERE b.partner_id = :partnerId AND b.partner_customer_id IS NULL`,
  row: Fields,
})

const OWN = { partnerId: 'text', partnerCustomerId: 'text' } as const

const listOfCustomer = queryMany({
  name: 'brands.list-of-customer',
  parameters: OWN,
  text: `
    SELECT true AS is_own, ${listOf('own')} FROM relationships r ${WITH_BRANDS}
    WHERE r.id = :partnerCustomerId AND r.partner_id = :partnerId AND r.status = 'active'
    UNION ALL
    SELECT false AS is_own, ${EFFECTIVE} FROM relationships r ${WITH_BRANDS}
    WHERE r.id = :partnerCustomerId AND r.partner_id = :partnerId AND r.status = 'active'`,
  row: Fields.extend({ isOwn: z.boolean() }),
})

/** The brand that a partner has set for its own active relationship, and the result; null if it is not one. */
export const getOfCustomer = async (
  db: Queryable,
  owner: Readonly<{ partnerId: string; partnerCustomerId: string }>,
): Promise<Readonly<{ own: BrandFields; effective: BrandFields }> | null> => {
  const rows = await listOfCustomer(db, owner)
  const own = rows.find(({ isOwn }) => isOwn)
  const effective = rows.find(({ isOwn }) => !isOwn)
  return own && effective ? { own, effective } : null
}

const CHANGE = { name: 'text?', accentColor: 'text?', supportAddress: 'text?', now: 'timestamptz' } as const
const SET_CHANGE = `
  ON CONFLICT (partner_id, partner_customer_id) DO UPDATE SET name = excluded.name,
    accent_color = excluded.accent_color, support_address = excluded.support_address, updated_at = excluded.updated_at`

/** Replaces all of a partner's brand except for its logo. */
export const upsertOfPartner = queryNone({
  name: 'brands.upsert-of-partner',
  parameters: { partnerId: 'text', ...CHANGE },
  text: `
    INSERT INTO brands (partner_id, name, accent_color, support_address, updated_at)
    VALUES (:partnerId, :name, :accentColor, :supportAddress, :now) ${SET_CHANGE}`,
})

/** As {@link upsertOfPartner}, of a partner's own active relationship; no row if it is not one. */
export const upsertOfCustomer = queryOne({
  name: 'brands.upsert-of-customer',
  parameters: { ...OWN, ...CHANGE },
  text: `
    INSERT INTO brands (partner_id, partner_customer_id, name, accent_color, support_address, updated_at)
    SELECT r.partner_id, r.id, :name, :accentColor, :supportAddress, :now FROM relationships r
    WHERE r.id = :partnerCustomerId AND r.partner_id = :partnerId AND r.status = 'active'
    ${SET_CHANGE} RETURNING partner_customer_id AS id`,
  row: z.object({ id: z.string() }),
})

const LOGO = {
  logo: 'bytea?',
  logoHash: 'text?',
  logoWidth: 'integer?',
  logoHeight: 'integer?',
  now: 'timestamptz',
} as const
const SET_LOGO = `
  ON CONFLICT (partner_id, partner_customer_id) DO UPDATE SET logo = excluded.logo, logo_hash = excluded.logo_hash,
    logo_width = excluded.logo_width, logo_height = excluded.logo_height, updated_at = excluded.updated_at`

/** Replaces the logo of a partner's brand. */
export const upsertLogoOfPartner = queryNone({
  name: 'brands.upsert-logo-of-partner',
  parameters: { partnerId: 'text', ...LOGO },
  text: `
    INSERT INTO brands (partner_id, logo, logo_hash, logo_width, logo_height, updated_at)
    VALUES (:partnerId, :logo, :logoHash, :logoWidth, :logoHeight, :now) ${SET_LOGO}`,
})

/** As {@link upsertLogoOfPartner}, of a partner's own active relationship; no row if it is not one. */
export const upsertLogoOfCustomer = queryOne({
  name: 'brands.upsert-logo-of-customer',
  parameters: { ...OWN, ...LOGO },
  text: `
    INSERT INTO brands (partner_id, partner_customer_id, logo, logo_hash, logo_width, logo_height, updated_at)
    SELECT r.partner_id, r.id, :logo, :logoHash, :logoWidth, :logoHeight, :now FROM relationships r
    WHERE r.id = :partnerCustomerId AND r.partner_id = :partnerId AND r.status = 'active'
    ${SET_LOGO} RETURNING partner_customer_id AS id`,
  row: z.object({ id: z.string() }),
})

/** The brand of a relationship's pages, also after the relationship has ended: its orders keep their pages. */
export const getShownOfRelationship = queryOne({
  name: 'brands.get-shown-of-relationship',
  parameters: { partnerCustomerId: 'text' },
  text: `SELECT ${EFFECTIVE} FROM relationships r ${WITH_BRANDS} WHERE r.id = :partnerCustomerId`,
  row: Fields,
})

/** The brand of the only partner of a merchant, by confirmed relationships; of several, none speaks for the others. */
export const getShownOfMerchant = queryOne({
  name: 'brands.get-shown-of-merchant',
  parameters: { merchantId: 'text' },
  text: `
    SELECT ${listOf('b')}
    FROM (SELECT min(partner_id) AS partner_id FROM relationships
          WHERE merchant_id = :merchantId AND status = 'active' AND link_confirmed HAVING count(*) = 1) single
    JOIN brands b ON b.partner_id = single.partner_id AND b.partner_customer_id IS NULL`,
  row: Fields,
})

/** The image of an address. Equal images have equal addresses; several partners may have set them. */
export const getLogo = queryOne({
  name: 'brands.get-logo',
  parameters: { contentHash: 'text' },
  text: 'SELECT logo FROM brands WHERE logo_hash = :contentHash LIMIT 1',
  row: z.object({ logo: z.instanceof(Buffer) }),
})
