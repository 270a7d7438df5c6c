/** The partner's brand in the portal. */
export const BRAND_PATH = '/portal/brand'
