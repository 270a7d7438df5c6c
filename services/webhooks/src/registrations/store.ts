import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import {
  ENDS_OVERLAP,
  NEXT_REVISION,
  SampledDestination,
  SECRETS,
  SETS_STATUS,
} from '../destinations/store.ts'

const SHOWN =
  'id, url, integration_id, created_at, secret_sealed IS NOT NULL AS has_secret, former_secret_until, disabled_at'
/** Not the integrations' own URLs, which are destinations of the merchant as well. */
const REGISTERED = `
  channel = 'merchant' AND owner_id = :merchantId AND removed_at IS NULL AND id LIKE 'whk\\_%'`

/** A merchant's registration as it is shown. */
export const RegistrationRow = z.object({
  id: z.string(),
  url: z.string(),
  integrationId: z.string().nullable(),
  createdAt: z.date(),
  hasSecret: z.boolean(),
  formerSecretUntil: z.date().nullable(),
  disabledAt: z.date().nullable(),
})
export type RegistrationRow = z.infer<typeof RegistrationRow>

/** Oldest first. */
export const listRegistrations = queryMany({
  name: 'registrations.list',
  parameters: { merchantId: 'text', afterId: 'text', limit: 'integer' },
  text: `SELECT ${SHOWN} FROM destinations WHERE ${REGISTERED} AND id > :afterId ORDER BY id LIMIT :limit`,
  row: RegistrationRow,
})

/** @returns null for a merchant that has `max` registrations already */
export const insertRegistration = queryOne({
  name: 'registrations.insert',
  parameters: {
    merchantId: 'text',
    id: 'text',
    integrationId: 'text?',
    url: 'text',
    sealedSecret: 'text',
    now: 'timestamptz',
    max: 'integer',
  },
  text: `
    WITH next AS (${NEXT_REVISION})
    INSERT INTO destinations
      (id, channel, owner_id, integration_id, url, event_types, secret_sealed, revision, created_at)
    SELECT :id, 'merchant', :merchantId, :integrationId, :url, '{}', :sealedSecret, next.revision, :now FROM next
    WHERE (SELECT count(*) FROM destinations WHERE ${REGISTERED}) < :max
    RETURNING ${SHOWN}`,
  row: RegistrationRow,
})

/** Null leaves the URL as it is; `rebinds` says whether the integration changes. */
export const updateRegistration = queryOne({
  name: 'registrations.update',
  parameters: {
    merchantId: 'text',
    id: 'text',
    url: 'text?',
    rebinds: 'boolean',
    integrationId: 'text?',
    endsOverlap: 'boolean',
    status: 'text?',
    now: 'timestamptz',
  },
  text: `
    WITH next AS (${NEXT_REVISION})
    UPDATE destinations SET url = coalesce(:url, url), revision = next.revision,
      integration_id = CASE WHEN :rebinds THEN :integrationId ELSE integration_id END, ${ENDS_OVERLAP},
      ${SETS_STATUS}
    FROM next
    WHERE ${REGISTERED} AND id = :id
    RETURNING ${SHOWN}`,
  row: RegistrationRow,
})

/** With the sealed secrets, to send by. */
export const findRegistration = queryOne({
  name: 'registrations.read',
  parameters: { merchantId: 'text', id: 'text' },
  text: `SELECT id, url, ${SECRETS} FROM destinations WHERE ${REGISTERED} AND id = :id`,
  row: SampledDestination,
})
