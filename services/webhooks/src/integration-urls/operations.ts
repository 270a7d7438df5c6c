import { implement, refuse, reply, withBefore, type Implementation } from '@causeway/chassis'
import { integrationUrls } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import { newSecret, secretContext } from '../destinations/secret.ts'
import { parseWebhookUrl, refuseUrl } from '../destinations/url.ts'
import { clearIntegrationUrl, upsertIntegrationUrl } from './store.ts'

/** The destination of an integration's own URL, sent as `x-webhook-id` (decisions §12). */
const destinationOf = (integrationId: string): string => `integration:${integrationId}`

/** The merchant webhook URL of an integration, kept by staff (decisions §14). */
export const integrationUrlOperations = ({
  db,
  vault,
  engine,
  owners,
  urlPolicy,
}: Dependencies): Implementation[] => {
  const answer = (integrationId: string, url: string | null, secret: string | null, before: string | null) =>
    withBefore(reply({ integration_id: integrationId, merchant_webhook_url: url, webhook_secret: secret }), {
      integration_id: integrationId,
      merchant_webhook_url: before,
    })

  return implement(integrationUrls, {
    async update({ params: { integrationId }, body: { url }, now }) {
      const parsed = url === null ? null : parseWebhookUrl(url, urlPolicy)
      if (parsed?.ok === false) return refuseUrl(parsed.reason)
      const merchantId = await owners.merchantOf(integrationId)
      if (merchantId === null) return refuse('resource_not_found')
      const id = destinationOf(integrationId)
      if (url === null) {
        const cleared = await clearIntegrationUrl(db, { id, merchantId, now })
        await engine.destinationsChanged()
        return answer(integrationId, null, null, cleared?.urlBefore ?? null)
      }
      const secret = newSecret()
      const sealedSecret = vault.seal(secret, secretContext(id))
      const row = await upsertIntegrationUrl(db, { id, merchantId, integrationId, url, sealedSecret, now })
      if (!row) throw new Error('An integration URL was set but not returned')
      await engine.destinationsChanged()
      return answer(integrationId, url, row.isNewSecret ? secret : null, row.urlBefore)
    },
  })
}
