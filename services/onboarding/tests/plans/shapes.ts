import type { TableShapes } from '@causeway/chassis/testing'

const MILLION = 1_000_000

/** Onboarding's tables at 1,000,000 merchants, each with two partners. All that a partner lists is one partner's. */
export const SHAPES: TableShapes = {
  merchants: {
    rows: MILLION,
    bytes: 200,
    columns: {
      verification: { shares: { required: 0.4, approved: 0.55, expired: 0.05 } },
      verification_expires_at: { nulls: 0.45 },
    },
  },
  relationships: {
    rows: 2 * MILLION,
    bytes: 500,
    columns: {
      partner_id: { distinct: 1 },
      merchant_id: { distinct: MILLION },
      external_customer_id: {},
      status: { shares: { active: 0.95, revoked: 0.05 } },
      agreements_revision: { distinct: 5 },
      link_confirmed: { shares: { t: 0.95, f: 0.05 } },
      ended_at: { nulls: 0.95 },
      erased_at: { nulls: 0.96 },
    },
  },
  brands: {
    rows: MILLION,
    bytes: 300,
    columns: {
      partner_id: { distinct: 1 },
      partner_customer_id: { distinct: MILLION },
      logo_hash: { distinct: MILLION / 2, nulls: 0.5 },
    },
  },
  document_uploads: { rows: 1_000, bytes: 200 },
  documents: {
    rows: 6 * MILLION,
    bytes: 600,
    columns: {
      partner_id: { distinct: 1 },
      partner_customer_id: { distinct: { busy: 60_000, even: 2 * MILLION } },
      document_type: { distinct: 8 },
      status: { shares: { uploaded: 0.2, accepted: 0.7, rejected: 0.1 } },
    },
  },
  agreement_catalogue: { rows: 1, bytes: 40 },
  agreements: { rows: 20, bytes: 100 },
  agreement_versions: { rows: 200, bytes: 5_000 },
  acceptances: {
    rows: 6 * MILLION,
    bytes: 700,
    columns: {
      partner_id: { distinct: 1 },
      partner_customer_id: { distinct: 2 * MILLION },
      agreement_id: { distinct: 20 },
      agreement_version: { distinct: 50 },
    },
  },
  verifications: {
    rows: MILLION,
    bytes: 200,
    columns: { status: { shares: { approved: 0.6, draft: 0.2, pending: 0.15, rejected: 0.05 } } },
  },
  submissions: {
    rows: 2 * MILLION,
    bytes: 3_000,
    columns: {
      partner_id: { distinct: 1 },
      verification_id: { distinct: MILLION, nulls: 0.02 },
      held_id: { nulls: 0.95 },
    },
  },
  requirements: {
    rows: 5 * MILLION,
    bytes: 500,
    columns: {
      merchant_id: { distinct: { busy: 50_000, even: 500_000 } },
      raised_by: { distinct: 1, nulls: 0.5 },
      status: { shares: { satisfied: 0.7, open: 0.1, fulfilled: 0.1, cancelled: 0.1 } },
      document_id: { distinct: 2 * MILLION, nulls: 0.5 },
    },
  },
  onboarding_links: {
    rows: MILLION,
    bytes: 300,
    columns: {
      partner_id: { distinct: 1 },
      partner_customer_id: { distinct: 500_000 },
      ended_at: { nulls: 0.9 },
    },
  },
  data_keys: { rows: 2 * MILLION, bytes: 250 },
}
