import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { SCREEN_POLICY } from '@causeway/screens/design'
import helmet from 'helmet'

/** Header names and values in turn, which `writeHead` accepts without an object being built. */
export type FlatHeaders = readonly (string | number)[]

type Directives = Readonly<Record<string, readonly string[]>>

type Options = Readonly<{
  referrer?: 'no-referrer' | 'same-origin'
  openerPolicy?: 'same-origin' | 'unsafe-none'
}>

/** The headers that helmet sets on a response, computed once. */
const collect = (
  directives: Directives,
  policy: 'same-origin' | 'cross-origin',
  { referrer = 'no-referrer', openerPolicy = 'same-origin' }: Options = {},
): FlatHeaders => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const middleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: Object.fromEntries(Object.entries(directives).map(([name, values]) => [name, [...values]])),
    },
    crossOriginResourcePolicy: { policy },
    crossOriginOpenerPolicy: { policy: openerPolicy },
    referrerPolicy: { policy: referrer },
  })
  middleware(request, response, (error?: unknown) => {
    if (error !== undefined) throw new Error('helmet refused its options', { cause: error })
  })
  return response.getHeaderNames().flatMap((name) => [name, String(response.getHeader(name))])
}

const NOTHING: Directives = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }

/** For JSON: a browser may load nothing for it. */
export const API_SECURITY = collect(NOTHING, 'same-origin')

/** For images and files that pages of other origins may load. */
export const EMBEDDABLE_SECURITY = collect(NOTHING, 'cross-origin')

/** For uploaded files: opened in a browser they can neither run nor load anything. */
export const FILE_SECURITY = collect({ ...NOTHING, sandbox: [] }, 'cross-origin')

const SELF = ["'self'"]

/**
 * For the pages of the reference: scripts, styles and documents of this host alone. The viewer writes inline
 * styles; scripts are not inline and may not evaluate text. The viewer is third-party code: `sandbox` without
 * `allow-same-origin` gives it an opaque origin, which reads neither cookies nor screens. Windows that its links open are
 * ordinary ones. A browser may refuse a sandboxed page that isolates its opener (HTML, "cross-origin opener policies").
 */
export const PAGE_SECURITY = collect(
  {
    ...NOTHING,
    sandbox: ['allow-scripts', 'allow-downloads', 'allow-popups', 'allow-popups-to-escape-sandbox'],
    scriptSrc: SELF,
    styleSrc: [...SELF, "'unsafe-inline'"],
    connectSrc: SELF,
    imgSrc: [...SELF, 'data:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
  },
  'same-origin',
  { openerPolicy: 'unsafe-none' },
)

/**
 * For screens: files of this origin alone, nothing inline, no frame around them. Other sites get no referrer; forms of
 * older browsers name this origin, which `no-referrer` would make `null`.
 */
export const SCREEN_SECURITY = collect(SCREEN_POLICY, 'same-origin', { referrer: 'same-origin' })
