import { join } from 'node:path'
import { readPrivateJson } from '@causeway/dev-env/platform/private-file'
import type { ReadyPartner } from '@causeway/dev-env/platform/ready-partner'
import type { Secrets } from '@causeway/dev-env/platform/secrets'
import { loadStartSettings, type StartSettings } from '@causeway/dev-env/platform/settings'

const readIn = (settings: StartSettings, name: string): unknown => {
  const content = readPrivateJson(join(settings.DATA_DIR, name))
  if (content === null)
    throw new Error(
      `The platform at GATEWAY_PORT ${settings.GATEWAY_PORT} does not run from DATA_DIR ${settings.DATA_DIR}: set both as at its start`,
    )
  return content
}

/**
 * The platform that runs on this machine with DATA_DIR, or null.
 * @throws Error that names the setting to change, when the running platform uses another folder
 */
export const findRunning = async () => {
  const settings = loadStartSettings(process.env)
  const baseUrl = `http://127.0.0.1:${settings.GATEWAY_PORT}`
  const ready = await fetch(`${baseUrl}/readyz`).then(
    (answer) => answer.status === 200,
    () => false,
  )
  if (!ready) return null
  const partner = readIn(settings, 'partner.json') as ReadyPartner
  const secrets = readIn(settings, 'secrets.json') as Secrets
  return {
    baseUrl,
    sandboxUrl: `http://127.0.0.1:${settings.SANDBOX_PORT}`,
    operatorKey: settings.OPERATOR_API_KEY ?? secrets.operatorApiKey,
    partner,
  }
}
