import { z } from 'zod'
import { get, put } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, text } from '../primitives.ts'

/** Most public keys of one client: the current one, the next, and some reserve. */
export const KEYS_PER_CLIENT = 5

/** RFC 7518 §6.2.1: a coordinate of 32 bytes. */
const coordinate = z.string().regex(/^[\w-]{43}$/)
/** An RSA modulus of 2,048 to 8,192 bits; some writers add a leading zero byte. */
const modulus = z.string().regex(/^[\w-]{342,1367}$/)
const named = {
  /** Id of the key in assertions. Default: its thumbprint (RFC 7638). */
  kid: text(100).optional(),
  use: z.literal('sig').optional(),
  key_ops: z.array(z.literal('verify')).max(1).optional(),
}

/** A public key of a client (RFC 7517). Private members are refused as unknown fields. */
export const ClientJwk = z.discriminatedUnion('kty', [
  z.strictObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: coordinate,
    y: coordinate,
    alg: z.literal('ES256').optional(),
    ...named,
  }),
  z.strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: coordinate,
    alg: z.enum(['EdDSA', 'Ed25519']).optional(),
    ...named,
  }),
  z.strictObject({
    kty: z.literal('RSA'),
    n: modulus,
    e: z.literal('AQAB'),
    alg: z.enum(['RS256', 'PS256']).optional(),
    ...named,
  }),
])

/** The public keys of a client as a JWK set; without a key it cannot authenticate by assertions. */
export const ClientJwks = z.strictObject({ keys: z.array(ClientJwk).max(KEYS_PER_CLIENT) })
export type ClientJwks = z.infer<typeof ClientJwks>

const clientParams = z.object({ clientId: idOf('client') })

/** `gateway.client-keys`: public keys with which clients authenticate instead of a secret (RFC 7523). */
export const clientKeys = resource('gateway.client-keys', {
  get: operation({
    operationId: 'getClientKeys',
    http: get('/clients/:clientId/keys'),
    role: 'viewer',
    tag: 'Partners',
    summary: 'Get the public keys of a client',
    description: 'Use it to see which keys may sign the client’s assertions.',
    caller: 'operator',
    params: clientParams,
    reply: z.object({ jwks: ClientJwks }),
    refusals: ['resource_not_found'],
  }),
  replace: operation({
    operationId: 'replaceClientKeys',
    http: put('/clients/:clientId/keys'),
    role: 'admin',
    tag: 'Partners',
    fourEyes: ['keys'],
    summary: `Replace the public keys of a client, at most ${KEYS_PER_CLIENT}; tokens of removed keys end within one second`,
    description: 'Use it when a client authenticates by `private_key_jwt`, or rotates its keys.',
    caller: 'operator',
    params: clientParams,
    body: z.strictObject({ jwks: ClientJwks }),
    reply: z.object({ jwks: ClientJwks }),
    refusals: ['invalid_request', 'resource_not_found'],
  }),
})
