import type { ConnectionOptions } from '@nats-io/transport-node'

/** Files that verify a `tls://` connection; without `caFile` the system's certificates do. */
export type BusTls = Readonly<{
  caFile?: string | undefined
  certFile?: string | undefined
  keyFile?: string | undefined
}>

/** Options of the NATS client for the server of a NATS_URL and one of its users. */
export type ServerAddress = Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> & { host: string }

/**
 * `tls://` is verified TLS: the password is never sent to a server that offers none, or whose certificate is not signed
 * by the given authorities for the host's name. `nats://` is plain.
 *
 * @throws Error that names NATS_URL for any other scheme
 */
export const serverAddress = (text: string, tls: BusTls = {}, user?: string): ServerAddress => {
  const url = new URL(text)
  if (url.protocol !== 'tls:' && url.protocol !== 'nats:')
    throw new Error('NATS_URL must begin with nats:// or tls://')
  const { caFile, certFile, keyFile } = tls
  const files = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  }
  return {
    host: url.host,
    servers: url.host,
    user: user ?? decodeURIComponent(url.username),
    pass: decodeURIComponent(url.password),
    ...(url.protocol === 'tls:' ? { tls: files } : {}),
  }
}

/** The user name in a NATS_URL. */
export const userOf = (text: string): string => decodeURIComponent(new URL(text).username)
