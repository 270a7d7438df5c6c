import type { TableShapes } from '@causeway/chassis/testing'

const MILLION = 1_000_000

/** Webhooks' tables at 50,000,000 deliveries of 30,000,000 events. */
export const SHAPES: TableShapes = {
  destination_revision: { rows: 1, bytes: 40 },
  disabled_partner_set: { rows: 1, bytes: 50 },
  disabled_partners: { rows: 100, bytes: 60 },
  destinations: {
    rows: 100_000,
    bytes: 500,
    columns: {
      channel: { shares: { partner: 0.01, merchant: 0.99 } },
      owner_id: { distinct: { busy: 500, even: 50_000 } },
      integration_id: { distinct: 40_000, nulls: 0.5 },
      removed_at: { nulls: 0.95 },
    },
  },
  events: {
    rows: 30 * MILLION,
    bytes: 700,
    columns: {
      owner_id: { distinct: { busy: 10, even: 50_000 } },
      event_id: {},
      type: { distinct: 30 },
      integration_id: { distinct: 40_000, nulls: 0.5 },
      body_sealed: { nulls: 0.99 },
      feed_position: { distinct: 10 * MILLION, nulls: 0.3 },
    },
  },
  deliveries: {
    rows: 50 * MILLION,
    bytes: 350,
    columns: {
      destination_id: { distinct: { busy: 10, even: 100_000 } },
      id: {},
      owner_id: { distinct: { busy: 10, even: 50_000 } },
      event_id: { distinct: 30 * MILLION },
      event_type: { distinct: 30 },
      state: { shares: { delivered: 0.97, waiting: 0.02, dead: 0.01 } },
      lane: { shares: { 0: 0.9, 1: 0.1 } },
      lease_id: { nulls: 0.99 },
    },
  },
  redeliveries: {
    rows: 1_000,
    bytes: 200,
  },
  integrations: { rows: 2 * MILLION, bytes: 80 },
  relationships: {
    rows: MILLION,
    bytes: 80,
    columns: { is_revoked: { shares: { false: 0.99, true: 0.01 } } },
  },
}

/** A day's retries. */
export const ATTEMPTS_SHAPE = { rows: 500_000, bytes: 300, columns: { delivery_id: { distinct: 200_000 } } }
