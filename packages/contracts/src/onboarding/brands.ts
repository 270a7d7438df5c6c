import { z } from 'zod'
import { customerParams } from './customers.ts'
import { del, get, put } from '../http/methods.ts'
import { EmailAddress } from '../internet-names.ts'
import { operation, resource } from '../operation.ts'
import { idOf, text } from '../primitives.ts'
import { HttpsUrl } from '../web-address.ts'

/** Largest logo that is accepted: in base64 it fits into the usual body of 256 KiB. */
export const MAX_LOGO_BYTES = 180 * 1024
/** Most pixels on a side of a logo that is accepted. */
export const MAX_LOGO_SIDE = 4_096
/** Most pixels of a logo that is accepted: 32 MiB once decoded. */
export const MAX_LOGO_PIXELS = 8_388_608
/** Box into which logos are scaled down, in pixels: twice the size at which pages show them. */
export const LOGO_BOX = { width: 400, height: 120 } as const
/** Time in milliseconds beyond the usual deadline that encoding a logo may take, with those before it. */
const LOGO_WAIT_MS = 40_000

const LogoHash = z.string().regex(/^[0-9a-f]{64}$/)

/** A logo as pages show it: a PNG that the platform has encoded. */
export const Logo = z.object({
  url: z.string(),
  content_hash: LogoHash.meta({ description: 'SHA-256 of the image at `url`' }),
  width: z.number().int().min(1).max(LOGO_BOX.width),
  height: z.number().int().min(1).max(LOGO_BOX.height),
})

/** How pages for buyers and merchants look (decisions §53). Null: not set. */
export const Brand = z.object({
  name: z.string().nullable(),
  accent_color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .nullable(),
  support_address: z.string().nullable(),
  logo: Logo.nullable(),
})
export type Brand = z.infer<typeof Brand>

const isSupportAddress = (value: string): boolean =>
  EmailAddress.safeParse(value).success || HttpsUrl.safeParse(value).success

const BrandChange = z.strictObject({
  name: text(100).nullable().optional().meta({ description: 'Plain text' }),
  accent_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .toLowerCase()
    .nullable()
    .optional()
    .meta({ description: 'Colour of buttons and links, such as `#0d5c46`' }),
  support_address: z
    .string()
    .max(2_048)
    .refine(isSupportAddress, {
      params: { reason: 'invalid_value', expected: 'an e-mail address, or an https address' },
    })
    .nullable()
    .optional()
    .meta({ description: 'Where readers of the pages get help: an e-mail address, or an https address' }),
})

const NewLogo = z.strictObject({
  content_base64: z
    .base64()
    .min(1)
    .max((MAX_LOGO_BYTES / 3) * 4)
    .meta({ description: 'A PNG, JPEG or WebP image' }),
})

const LOGO_USE = `A PNG, JPEG or WebP image of at most ${MAX_LOGO_BYTES / 1024} KiB, ${MAX_LOGO_SIDE.toLocaleString('en')} pixels on a side and 8 megapixels. The platform encodes it again as a PNG of at most ${LOGO_BOX.width} × ${LOGO_BOX.height} pixels; metadata and animations are removed. Each image has its own \`url\`.`
const PUT_USE = 'It replaces name, colour and support address: a field that is left out is removed.'
const CUSTOMER_USE =
  'Fields that the customer’s brand does not set come from the partner’s own brand: `effective_brand` has the result.'

const partnerParams = z.object({ partnerId: idOf('partner') })
const BrandReply = z.object({ brand: Brand })
const CustomerBrandReply = z.object({ brand: Brand, effective_brand: Brand })
const ofPartner = { ofPartner: true, portal: true } as const
const writes = { scopes: ['brand:write'] }

/** The relationship that a buyer pays, the merchant that reads a page, or the partner that does; exactly one of them. */
const ShownFor = z.object({
  partner_id: idOf('partner').optional(),
  partner_customer_id: idOf('relationship').optional(),
  merchant_id: idOf('merchant').optional(),
})
export type ShownFor = z.infer<typeof ShownFor>

/** `onboarding.brands` (decisions §53). */
export const brands = resource('onboarding.brands', {
  get: operation({
    operationId: 'getBrand',
    http: get('/brand', { scopes: ['partner:read'] }),
    tag: 'Brand',
    summary: 'Get the brand of the partner',
    description: 'Use it to see what the pages of your customers and their buyers show.',
    reply: BrandReply,
  }),
  put: operation({
    operationId: 'putBrand',
    http: put('/brand', writes),
    tag: 'Brand',
    audited: true,
    summary: 'Set name, colour and support address of the partner’s brand',
    description: `Use it for pages that look like your product. ${PUT_USE} The logo has a separate operation.`,
    body: BrandChange,
    reply: BrandReply,
  }),
  putLogo: operation({
    operationId: 'putBrandLogo',
    http: put('/brand/logo', writes),
    tag: 'Brand',
    audited: true,
    summary: 'Set the logo of the partner’s brand',
    description: LOGO_USE,
    body: NewLogo,
    reply: BrandReply,
    refusals: ['invalid_request'],
    waitsMs: LOGO_WAIT_MS,
  }),
  deleteLogo: operation({
    operationId: 'deleteBrandLogo',
    http: del('/brand/logo', { ...writes, status: 204 }),
    tag: 'Brand',
    audited: true,
    summary: 'Delete the logo of the partner’s brand',
    description: 'Use it to show the name instead.',
    reply: z.object({}),
  }),
  getOfCustomer: operation({
    operationId: 'getCustomerBrand',
    http: get('/customers/:customerId/brand', { scopes: ['customers:read'] }),
    tag: 'Brand',
    summary: 'Get the brand of a customer',
    description: CUSTOMER_USE,
    params: customerParams,
    reply: CustomerBrandReply,
    refusals: ['resource_not_found'],
  }),
  putOfCustomer: operation({
    operationId: 'putCustomerBrand',
    http: put('/customers/:customerId/brand', writes),
    tag: 'Brand',
    audited: true,
    summary: 'Set name, colour and support address of a customer’s brand',
    description: `Use it for pages that look like the customer’s shop. ${PUT_USE} ${CUSTOMER_USE}`,
    params: customerParams,
    body: BrandChange,
    reply: CustomerBrandReply,
    refusals: ['resource_not_found'],
  }),
  putLogoOfCustomer: operation({
    operationId: 'putCustomerBrandLogo',
    http: put('/customers/:customerId/brand/logo', writes),
    tag: 'Brand',
    audited: true,
    summary: 'Set the logo of a customer’s brand',
    description: LOGO_USE,
    params: customerParams,
    body: NewLogo,
    reply: CustomerBrandReply,
    refusals: ['resource_not_found', 'invalid_request'],
    waitsMs: LOGO_WAIT_MS,
  }),
  deleteLogoOfCustomer: operation({
    operationId: 'deleteCustomerBrandLogo',
    http: del('/customers/:customerId/brand/logo', { ...writes, status: 204 }),
    tag: 'Brand',
    audited: true,
    summary: 'Delete the logo of a customer’s brand',
    description: 'Use it to show the partner’s logo again.',
    params: customerParams,
    reply: z.object({}),
    refusals: ['resource_not_found'],
  }),
  getByStaff: operation({
    operationId: 'getPartnerBrand',
    http: get('/partners/:partnerId/brand', ofPartner),
    role: 'viewer',
    tag: 'Partners',
    summary: 'Get the brand of a partner',
    description: 'Use it to see what the pages of the partner’s customers and their buyers show.',
    caller: 'operator',
    params: partnerParams,
    reply: BrandReply,
  }),
  putByStaff: operation({
    operationId: 'putPartnerBrand',
    http: put('/partners/:partnerId/brand', ofPartner),
    role: 'admin',
    tag: 'Partners',
    summary: 'Set name, colour and support address of a partner’s brand',
    description: `Use it when a partner asks for it. ${PUT_USE}`,
    caller: 'operator',
    params: partnerParams,
    body: BrandChange,
    reply: BrandReply,
  }),
  putLogoByStaff: operation({
    operationId: 'putPartnerBrandLogo',
    http: put('/partners/:partnerId/brand/logo', ofPartner),
    role: 'admin',
    tag: 'Partners',
    summary: 'Set the logo of a partner’s brand',
    description: LOGO_USE,
    caller: 'operator',
    params: partnerParams,
    body: NewLogo,
    reply: BrandReply,
    refusals: ['invalid_request'],
    waitsMs: LOGO_WAIT_MS,
  }),
  deleteLogoByStaff: operation({
    operationId: 'deletePartnerBrandLogo',
    http: del('/partners/:partnerId/brand/logo', { ...ofPartner, status: 204 }),
    role: 'admin',
    tag: 'Partners',
    summary: 'Delete the logo of a partner’s brand',
    description: 'Use it for a logo that the partner may not show.',
    caller: 'operator',
    params: partnerParams,
    reply: z.object({}),
  }),
  getShown: operation({
    summary: 'Get the brand that a page shows; null without one',
    caller: 'public',
    body: ShownFor,
    reply: z.object({ brand: Brand.nullable() }),
  }),
  getLogo: operation({
    operationId: 'getLogo',
    summary: 'Download a logo by its url',
    description:
      'Embed it where you show the brand. It needs no credential. The image of an address never changes.',
    caller: 'public',
    params: z.object({ contentHash: LogoHash }),
    reply: z.object({ content_base64: z.string() }),
    refusals: ['resource_not_found'],
  }),
})
