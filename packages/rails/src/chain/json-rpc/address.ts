/** An endpoint's address, taken apart so that its secrets are in what is sent and nowhere else. */
export type EndpointAddress = Readonly<{
  /** Host and port: what errors call the endpoint. */
  name: string
  /** Without user and password. */
  url: string
  headers: Readonly<Record<string, string>>
  /** The text with every part of the address that may be a secret replaced. */
  redact: (text: string) => string
}>

/** Shorter parts of a path are words such as `v3`. */
const SHORTEST_SECRET = 6

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * User and password become Basic authentication; API keys stay in the path or query.
 * @throws Error without the address when it is no http or https URL
 */
export const parseAddress = (text: string): EndpointAddress => {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Error('is not an http or https address')
  const user = decode(url.username)
  const password = decode(url.password)
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()]
  const secrets = [
    ...[user, password].filter((part) => part !== ''),
    ...parts.flatMap((part) => [part, decode(part)]).filter((part) => part.length >= SHORTEST_SECRET),
  ].toSorted((a, b) => b.length - a.length)
  url.username = ''
  url.password = ''
  url.hash = ''
  return {
    name: url.host,
    url: url.href,
    headers: user === '' && password === '' ? {} : { authorization: basic(user, password) },
    redact: (message) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), message),
  }
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
