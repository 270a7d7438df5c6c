import type { ConnectionOptions } from '@nats-io/transport-node'
import { readNatsServers } from '../settings/server-list.ts'

/** Files that verify a `tls://` connection; without `caFile` the system's certificates do. */
export type BusTls = Readonly<{
  caFile?: string | undefined
  certFile?: string | undefined
  keyFile?: string | undefined
}>

/** Options of the NATS client for the servers of a NATS_URL and one of its users; `label` names them. */
export type ServerAddress = Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'tls'> & { label: string }

/**
 * `tls://` is verified TLS: the password is never sent to a server that offers none, or whose certificate is not signed
 * by the given authorities for the host's name. `nats://` is plain.
 *
 * @throws Error that names NATS_URL for any other scheme
 */
export const serverAddress = (text: string, tls: BusTls = {}, user?: string): ServerAddress => {
  const urls = serversOf(text)
  const [first] = urls
  const { caFile, certFile, keyFile } = tls
  const files = {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  }
  const servers = urls.map(({ host }) => host)
  return {
    label: servers.join(', '),
    servers,
    user: user ?? decodeURIComponent(first.username),
    pass: decodeURIComponent(first.password),
    ...(first.protocol === 'tls:' ? { tls: files } : {}),
  }
}

const serversOf = (text: string) => {
  try {
    return readNatsServers(text)
  } catch (error) {
    throw new Error(`NATS_URL ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The user name in a NATS_URL. */
export const userOf = (text: string): string => decodeURIComponent(serversOf(text)[0].username)
