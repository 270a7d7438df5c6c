/** Where a destination's URL leads, parsed once. */
export type Target = Readonly<{
  /** `https:`; `http:` in the sandbox alone. */
  protocol: 'https:' | 'http:'
  /** Lower-case name, dotted IPv4 or IPv6 without brackets, whatever spelling the URL has. */
  hostname: string
  port: number
  /** Scheme, host and port, as the HTTP client wants it. */
  origin: string
  /** Path and query; a fragment is never sent. */
  path: string
}>

const withoutBrackets = (hostname: string) => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)

/** The target of a URL, without the checks of a registration; null when it is no http or https URL. */
export const readTarget = (text: string): Target | null => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const { protocol, origin, pathname, search } = url
  return { protocol, hostname: withoutBrackets(url.hostname), port, origin, path: pathname + search }
}
