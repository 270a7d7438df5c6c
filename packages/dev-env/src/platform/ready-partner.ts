import { CapabilityName, Scope } from '@causeway/contracts'
import { readPrivateJson, writePrivateJson } from './private-file.ts'

/** A partner that is ready to use after the start. */
export type ReadyPartner = { partnerId: string; clientId: string; clientSecret: string }

type Options = { baseUrl: string; operatorKey: string; file: string }

type Created = {
  data: { partner: { partner_id: string }; client: { client_id: string; client_secret: string } }
}

/** The first requests of a slow machine compile what they run. */
const REQUEST_TIMEOUT_MS = 60_000

const post = (url: string, authorization: string, contentType: string, body: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': contentType },
    body,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })

/** False when the platform does not know the client: its database was replaced. */
const isKnown = async (baseUrl: string, partner: ReadyPartner): Promise<boolean> => {
  const basic = Buffer.from(`${partner.clientId}:${partner.clientSecret}`).toString('base64')
  const form = 'application/x-www-form-urlencoded'
  const answer = await post(
    `${baseUrl}/api/oauth/token`,
    `Basic ${basic}`,
    form,
    'grant_type=client_credentials',
  )
  await answer.body?.cancel()
  return answer.status !== 401
}

type Held = { data: { pending_action: { pending_action_id: string } } }

/** Withdraws the request for the partner: nobody waits for a partner whose secret this start would not receive. */
const withdraw = async (baseUrl: string, bearer: string, held: Held): Promise<void> => {
  const { pending_action_id: id } = held.data.pending_action
  const url = `${baseUrl}/api/operator/pending-actions/${id}/decline`
  const answer = await post(url, bearer, 'application/json', '{}')
  if (!answer.ok)
    throw new Error(
      `The request for the ready partner was not withdrawn: ${answer.status} ${await answer.text()}`,
    )
  await answer.body?.cancel()
}

/** @returns null where FOUR_EYES has a second person confirm every partner */
const create = async ({ baseUrl, operatorKey }: Options): Promise<ReadyPartner | null> => {
  const wanted = { name: 'Demo partner', scopes: Scope.options, default_capabilities: CapabilityName.options }
  const bearer = `Bearer ${operatorKey}`
  const answer = await post(
    `${baseUrl}/api/operator/partners`,
    bearer,
    'application/json',
    JSON.stringify(wanted),
  )
  if (answer.status === 202) {
    await withdraw(baseUrl, bearer, (await answer.json()) as Held)
    return null
  }
  if (answer.status !== 201)
    throw new Error(`The ready partner was not made: ${answer.status} ${await answer.text()}`)
  const { data } = (await answer.json()) as Created
  return {
    partnerId: data.partner.partner_id,
    clientId: data.client.client_id,
    clientSecret: data.client.client_secret,
  }
}

/**
 * Returns the partner of this data folder: the first start creates it through the operator API and stores it.
 * @returns null without a stored one if FOUR_EYES requires a second person to confirm every partner
 */
export const readyPartner = async (options: Options): Promise<ReadyPartner | null> => {
  const kept = readPrivateJson(options.file) as ReadyPartner | null
  if (kept !== null && (await isKnown(options.baseUrl, kept))) return kept
  const partner = await create(options)
  if (partner !== null) writePrivateJson(options.file, partner)
  return partner
}
