import { parseUrl } from './values.ts'

/** One server of a database URL. */
export type Server = Readonly<{ host: string; port: number }>

/** At least one. */
type Several<T> = readonly [T, ...T[]]

const POSTGRES_URL = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/
const POSTGRES_PORT = 5432
const POSTGRES_FORM =
  'must be like postgres://user:password@host:5432,host:5432/name, with one server or several'

const serverOf = (url: string): Server => {
  const { hostname, port } = new URL(parseUrl(url, ['postgres:', 'postgresql:']))
  if (hostname === '') throw new Error(POSTGRES_FORM)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? POSTGRES_PORT : Number(port) }
}

/** A database URL, taken apart. */
export type DatabaseServers = Readonly<{
  /** With the first server alone. */
  url: string
  servers: Several<Server>
  /** More than one while the password is being replaced. */
  passwords: Several<string>
}>

const readOne = (text: string): Omit<DatabaseServers, 'passwords'> & { user: string; password: string } => {
  const [, before = '', addresses = '', after = ''] = POSTGRES_URL.exec(text) ?? []
  const [first = '', ...others] = addresses.split(',').map((address) => `${before}${address}${after}`)
  if (before === '') throw new Error(POSTGRES_FORM)
  const servers: Several<Server> = [serverOf(first), ...others.map(serverOf)]
  const { username: user, password } = new URL(first)
  return { url: first, servers, user, password: decodeURIComponent(password) }
}

/**
 * Takes a database URL with several servers apart: `postgres://user:password@a:5432,b:5432/name`. While its password is
 * being replaced, the same URL with another password follows after a space.
 *
 * @throws Error that says what the URL must be like
 */
export const readDatabaseServers = (text: string): DatabaseServers => {
  const [first, ...others] = text.trim().split(/\s+/).map(readOne)
  if (first === undefined) throw new Error(POSTGRES_FORM)
  const { url, servers, password } = first
  const placeOf = (one: typeof first) =>
    `${one.user} ${JSON.stringify(one.servers)} ${new URL(one.url).pathname}`
  if (others.some((other) => placeOf(other) !== placeOf(first)))
    throw new Error('must be one URL, or two that differ only in the password')
  return { url, servers, passwords: [password, ...others.map((other) => other.password)] }
}

const NATS_FORM =
  'must be like nats://user:password@host:4222,host:4222 (or tls://), with one server, or several servers with one user'

/**
 * Takes a NATS URL apart: `nats://user:password@a:4222,b:4222`; further servers may repeat the scheme and the user.
 *
 * @throws Error that says what the URL must be like
 */
export const readNatsServers = (text: string): Several<URL> => {
  const [head, ...rest] = text.split(',').map((part) => part.trim())
  const first = new URL(parseUrl(head ?? '', ['nats:', 'tls:']))
  const others = rest.map((part) => {
    const url = URL.parse(part.includes('://') ? part : `${first.protocol}//${part}`)
    if (url === null || url.host === '' || url.protocol !== first.protocol) throw new Error(NATS_FORM)
    const isSameUser = url.username === first.username && url.password === first.password
    if (url.username !== '' && !isSameUser) throw new Error(NATS_FORM)
    return url
  })
  return [first, ...others]
}
