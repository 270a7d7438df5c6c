import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigError } from '../settings/load.ts'
import { span } from '../telemetry/span.ts'
import { ProviderUnavailableError, type KeyProvider } from './provider.ts'
import type { TransitConfig } from './settings.ts'

const TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 64 * 1024

const Encrypted = z.object({ data: z.object({ ciphertext: z.string().regex(/^vault:v\d+:.+$/) }) })
const Decrypted = z.object({ data: z.object({ plaintext: z.base64() }) })
const Refused = z.object({ errors: z.array(z.string()) })

const readToken = async (path: string): Promise<string> => {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`VAULT_TOKEN_FILE ${path} cannot be read`, { cause: error })
  })
  return text.trim()
}

const errorsIn = (text: string): string => {
  try {
    return Refused.parse(JSON.parse(text)).errors.join(', ').slice(0, 300)
  } catch {
    return ''
  }
}

/** Which setting a refusal is about. Vault answers 403 to a bad token and to one whose policy does not name the key. */
const refusal = (status: number, text: string, { address, mount, key }: TransitConfig): Error => {
  const said = `${status} ${errorsIn(text)}`.trim()
  // 412, 429, 472, 473 and 5xx: sealed, standby, behind, or over its rate (Vault API, "HTTP status codes").
  if (status >= 500 || [412, 429, 472, 473].includes(status))
    return new ProviderUnavailableError(`VAULT_ADDR ${address} returned ${said}`)
  const setting = status === 403 ? 'VAULT_TOKEN_FILE or VAULT_TRANSIT_KEY' : 'VAULT_TRANSIT_KEY'
  return new ConfigError(`${setting}: Vault refuses ${mount}/${key}: ${said}`)
}

/** POST to the key, by Vault's HTTP API: `/v1/<mount>/<action>/<key>`. */
const post = async (
  config: TransitConfig,
  action: string,
  body: Record<string, string>,
): Promise<unknown> => {
  const token = await readToken(config.tokenFile)
  const path = [...config.mount.split('/'), action, config.key].map(encodeURIComponent).join('/')
  const url = `${config.address}/v1/${path}`
  const send = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vault-request': 'true', 'x-vault-token': token },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  const traced = span.aroundHttp({ method: 'POST', url }, ({ status }: Response) => status, send)
  const response = await traced.catch((error: unknown) => {
    throw new ProviderUnavailableError(`VAULT_ADDR ${config.address} cannot be reached`, { cause: error })
  })
  const text = await response.text().catch((error: unknown) => {
    throw new ProviderUnavailableError(
      `VAULT_ADDR ${config.address} closed the connection before the end of its response`,
      { cause: error },
    )
  })
  if (!response.ok) throw refusal(response.status, text, config)
  if (text.length > MAX_ANSWER_BYTES)
    throw new ConfigError(`VAULT_ADDR ${config.address} does not respond like Vault`)
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new ConfigError(`VAULT_ADDR ${config.address} does not respond like Vault`, { cause: error })
  }
}

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')

/**
 * A key in the transit engine of HashiCorp Vault. The key never leaves it; each of its versions counts as a
 * separate key, so that a start after a rotation wraps again. Its token needs `update` on encrypt/ and decrypt/ of the key.
 * @throws ProviderUnavailableError, or ConfigError that names the setting
 */
export const openTransit = async (config: TransitConfig): Promise<KeyProvider> => {
  const encrypt = async (plain: Buffer, context: string) => {
    const body = { plaintext: base64(plain), associated_data: base64(context) }
    return Encrypted.parse(await post(config, 'encrypt', body)).data.ciphertext
  }
  const name = `vault:${config.mount}/${config.key}:`
  const version = (await encrypt(Buffer.alloc(1), 'version')).split(':')[1] ?? ''
  return {
    id: `${name}${version}`,
    opens: (id) => id.startsWith(name),
    wrap: encrypt,
    async unwrap(ciphertext, context) {
      const answer = await post(config, 'decrypt', { ciphertext, associated_data: base64(context) })
      return Buffer.from(Decrypted.parse(answer).data.plaintext, 'base64')
    },
  }
}
