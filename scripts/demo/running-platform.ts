import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadStartSettings } from '../platform/settings.ts'

/** The platform of this machine that runs under DATA_DIR, or null. */
export const findRunning = async () => {
  const settings = loadStartSettings(process.env)
  const baseUrl = `http://127.0.0.1:${settings.GATEWAY_PORT}`
  const ready = await fetch(`${baseUrl}/readyz`).then(
    (answer) => answer.status === 200,
    () => false,
  )
  if (!ready) return null
  const read = (name: string) => JSON.parse(readFileSync(join(settings.DATA_DIR, name), 'utf8')) as never
  const partner: { partnerId: string; clientId: string; clientSecret: string } = read('partner.json')
  const secrets: { operatorApiKey: string } = read('secrets.json')
  return {
    baseUrl,
    sandboxUrl: `http://127.0.0.1:${settings.SANDBOX_PORT}`,
    operatorKey: settings.OPERATOR_API_KEY ?? secrets.operatorApiKey,
    partner,
  }
}
