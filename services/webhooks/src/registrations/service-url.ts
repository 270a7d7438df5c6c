const SUFFIX = '/service/webhook'

/**
 * The URL of a merchant's registration as it is stored: normalised (dot segments, host, default port), its path made
 * to end in `/service/webhook`, slashes at the end and the fragment dropped, the query kept
 * (spec: Merchant webhook management API). Applying it twice changes nothing more.
 * @returns what is no URL unchanged, for the checks of URLs to refuse
 */
export const toServiceUrl = (text: string): string => {
  const url = URL.parse(text)
  if (url === null) return text
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith(SUFFIX) ? path : path + SUFFIX
  url.hash = ''
  return url.href
}
