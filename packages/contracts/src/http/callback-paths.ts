import { z } from 'zod'
import { onrampNotices } from '../onramp/notices.ts'
import { cardNotices } from '../payments/card-notices.ts'
import { relayedPath } from './public-path.ts'

/** Accepts any content type: the format is the sender's. */
const signedNotice = { tag: 'Callbacks', unlimited: true, body: { '*/*': z.unknown() } } as const

/**
 * Paths to which card processors and onramp providers send notices (decisions §10 and §13). Genuine notices have no rate
 * limit; forged ones are refused over one, without asking the service (decisions §18).
 */
export const callbackPaths = {
  cardNotice: relayedPath('POST', '/api/callbacks/cards/:processor', cardNotices.receive, signedNotice),
  cardAuthorization: relayedPath(
    'POST',
    '/api/callbacks/cards/:processor/authorizations',
    cardNotices.authorize,
    signedNotice,
  ),
  onrampNotice: relayedPath('POST', '/api/callbacks/onramp/:provider', onrampNotices.receive, signedNotice),
}
