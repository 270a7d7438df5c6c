import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { KEEPS_IDLE_CONNECTIONS } from '../src/testing/timeouts.ts'

type Answer = Readonly<{ status: number; body: unknown }>
type Body = Partial<Record<'plaintext' | 'ciphertext' | 'associated_data', string>>

const refused = (status: number, ...errors: string[]): Answer => ({ status, body: { errors } })

/** One key of the transit engine: AES-256-GCM in versions, with associated data (Vault API, `secret/transit`). */
class TransitKey {
  readonly versions = [randomBytes(32)]
  minDecryptionVersion = 1

  encrypt({ plaintext = '', associated_data = '' }: Body): Answer {
    const version = this.versions.length
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.versions[version - 1] as Buffer, nonce)
    cipher.setAAD(Buffer.from(associated_data, 'base64'))
    const bytes = [
      nonce,
      cipher.update(Buffer.from(plaintext, 'base64')),
      cipher.final(),
      cipher.getAuthTag(),
    ]
    const ciphertext = `vault:v${version}:${Buffer.concat(bytes).toString('base64')}`
    return { status: 200, body: { data: { ciphertext, key_version: version } } }
  }

  decrypt({ ciphertext = '', associated_data = '' }: Body): Answer {
    const [, version = '', encoded = ''] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? []
    const key = this.versions[Number(version) - 1]
    if (key === undefined) return refused(400, 'invalid ciphertext: no prefix')
    if (Number(version) < this.minDecryptionVersion)
      return refused(400, 'ciphertext or signature version is disallowed by policy (too old)')
    const bytes = Buffer.from(encoded, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(associated_data, 'base64')).setAuthTag(bytes.subarray(-16))
    try {
      const plain = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
      return { status: 200, body: { data: { plaintext: plain.toString('base64') } } }
    } catch {
      return refused(400, 'cipher: message authentication failed')
    }
  }
}

/** A server that behaves as the transit engine of HashiCorp Vault does by its published HTTP API. */
export const startVaultServer = async () => {
  const token = `hvs.${randomBytes(12).toString('hex')}`
  const keys = new Map<string, TransitKey>()
  let isSealed = false
  let calls = 0
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    calls += 1
    if (isSealed) return refused(503, 'Vault is sealed')
    if (request.headers['x-vault-token'] !== token) return refused(403, 'permission denied')
    const [, version, mount, action = '', name = ''] = (request.url ?? '').split('/')
    if (version !== 'v1' || mount !== 'transit' || request.method !== 'POST') return refused(404)
    const body = JSON.parse((await buffer(request)).toString()) as Body
    const key = keys.get(name)
    // Without the policy to create keys, encrypting under an unknown one is refused as any path without a policy is.
    if (key === undefined)
      return action === 'encrypt'
        ? refused(403, 'permission denied')
        : refused(400, 'encryption key not found')
    if (action === 'encrypt') return key.encrypt(body)
    return action === 'decrypt' ? key.decrypt(body) : refused(404)
  }
  const server = createServer(KEEPS_IDLE_CONNECTIONS, (request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const keyOf = (name: string): TransitKey => {
    const key = keys.get(name)
    if (key === undefined) throw new Error(`No key ${name}`)
    return key
  }
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    /** How many requests came. */
    calls: () => calls,
    createKey: (name: string) => keys.set(name, new TransitKey()),
    /** POST /transit/keys/:name/rotate, and `min_decryption_version` of its config. */
    rotate: (name: string, { forgetOlder = false } = {}) => {
      const key = keyOf(name)
      key.versions.push(randomBytes(32))
      if (forgetOlder) key.minDecryptionVersion = key.versions.length
    },
    forgetOlder: (name: string) => {
      keyOf(name).minDecryptionVersion = keyOf(name).versions.length
    },
    setSealed: (sealed: boolean) => {
      isSealed = sealed
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
