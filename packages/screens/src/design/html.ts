import { html as tag } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup whose interpolated text is escaped. */
export type Html = HtmlEscapedString

/** A value in a template: text and numbers are escaped; null and false are omitted; lists are joined. */
export type Part = string | number | Html | null | false | readonly Part[]

/**
 * Template tag of every screen. It escapes everything that is not `Html`. No export of this file turns text into
 * markup; only `chart.ts` inserts a drawing as it was serialised.
 */
export const html = (strings: TemplateStringsArray, ...values: readonly Part[]): Html =>
  tag(strings, ...values) as Html

export const EMPTY: Html = html``
