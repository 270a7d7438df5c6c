import { html as tag } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { MailMessage } from './message.ts'

/** Escapes what it interpolates; without promises among its values it is synchronous. */
const html = (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
  tag(strings, ...values) as HtmlEscapedString

/** Texts of a mail. Subjects have no personal data: mail servers log them. */
export type MailTexts = Readonly<{
  subject: string
  /** Paragraphs before the link. */
  before: readonly string[]
  link: Readonly<{ text: string; url: string }> | null
  /** Paragraphs after the link. */
  after: readonly string[]
}>

/** Builds a mail, in text and in HTML. */
export const messageOf = (to: string, { subject, before, link, after }: MailTexts): MailMessage => ({
  to,
  subject,
  text: [...before, ...(link === null ? [] : [`${link.text}:\n${link.url}`]), ...after].join('\n\n'),
  html: html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
        ${before.map((paragraph) => html`<p>${paragraph}</p>`)}
        ${link === null ? '' : html`<p><a href="${link.url}">${link.text}</a></p>`}
        ${after.map((paragraph) => html`<p>${paragraph}</p>`)}
      </body>
    </html>`.toString(),
})
