import type { LoggedEvent } from '@causeway/contracts'
import type { Html } from '../design/index.ts'
import type { Answer, ScreenRequest } from '../screen.ts'
import type { LogClient, Refused, WebhookClient } from './client.ts'

/** URL paths of the screens of one owner. */
export type Paths = Readonly<{
  /** The list of webhooks. */
  list: string
  /** Prefix of each webhook's pages. */
  webhooks: string
  /** The event log. */
  events: string
}>

export const webhookPath = ({ webhooks }: Paths, id: string): string => `${webhooks}/${id}`

export type PlacePage = Readonly<{
  title: string
  /** The entry of the navigation that the page belongs to. */
  current: 'webhooks' | 'events'
  main: Html
  /** Names of additional scripts. */
  scripts?: readonly string[]
  /** Seconds after which a browser without JavaScript loads the page again. */
  refreshSeconds?: number
}>

/**
 * The area that shows the screens of one owner: the portal, or the console at a partner or a merchant.
 * @template C `WebhookClient` where the webhooks themselves can be managed
 */
export type Place<C extends LogClient = LogClient> = Readonly<{
  client: C
  paths: Paths
  /** False for staff whose role only reads: pages then have no forms. The operations enforce it. */
  mayChange: boolean
  page: (content: PlacePage) => Html
  /** Renders a form with its form token. */
  form: (action: string, content: Html) => Html
  /** Tells the reader of a new secret who must receive it; null if the reader configures the endpoint. */
  secretAdvice: string | null
  /** Renders the staff actions on an event; null outside the console. */
  history: ((event: LoggedEvent) => Promise<Html>) | null
}>
export type ManagedPlace = Place<WebhookClient>

export type Handler<P extends Place = Place> = (request: ScreenRequest, place: P) => Answer | Promise<Answer>

export const errorOf = ({ code }: Refused): Answer => ({ kind: 'error', code })
export const param = ({ params }: ScreenRequest, name: string): string => params[name] ?? ''
export const hasReason = ({ details = [] }: Refused, reason: string): boolean =>
  details.some((detail) => detail['reason'] === reason)
