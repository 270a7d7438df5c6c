import { copyable, definitionList, html, linkButton, notice, type Html } from '../design/index.ts'
import { consolePage, type ConsolePath, type StaffSession } from './frame.ts'

type OneTimeSecret = Readonly<{
  session: StaffSession
  current: ConsolePath
  title: string
  /** What it opens, and who has to get it. */
  advice: string
  values: readonly Readonly<{ term: string; value: string }>[]
  back: Readonly<{ href: string; text: string }>
}>

/**
 * The page with a secret that cannot be read again. It is the answer to the form itself: a redirect would have to carry
 * the secret, or keep it.
 */
export const oneTimeSecretPage = ({ session, current, title, advice, values, back }: OneTimeSecret): Html =>
  consolePage({
    session,
    current,
    title,
    main: html`<h1>${title}</h1>
      ${notice('warning', 'This is shown only now.', `${advice} Do not load this page again: that would make another.`)}
      ${definitionList(
        values.map(({ term, value }) => ({ term, value: copyable(value, `the ${term.toLowerCase()}`) })),
      )}
      <p>${linkButton(back.href, back.text, 'quiet')}</p>`,
  })
