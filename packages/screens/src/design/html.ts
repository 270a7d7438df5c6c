import { html as tag } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup whose interpolated text is escaped. */
export type Html = HtmlEscapedString

/** What a template takes: text and numbers are escaped; null and false are left out; lists are joined. */
export type Part = string | number | Html | null | false | readonly Part[]

/**
 * Template tag of every screen. It escapes whatever is not markup already, and there is no way around it: nothing
 * exports a function that makes markup of text.
 */
export const html = (strings: TemplateStringsArray, ...values: readonly Part[]): Html =>
  tag(strings, ...values) as Html

export const EMPTY: Html = html``
