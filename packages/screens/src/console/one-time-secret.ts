import { copyable, definitionList, html, linkButton, notice, type Html } from '../design/index.ts'
import { consolePage, type ConsolePath, type StaffSession } from './frame.ts'

type OneTimeSecret = Readonly<{
  session: StaffSession
  current: ConsolePath
  title: string
  /** Purpose of the secret, and who must receive it. */
  advice: string
  values: readonly Readonly<{ term: string; value: string }>[]
  back: Readonly<{ href: string; text: string }>
}>

/**
 * Renders a secret that cannot be read again. The page is the response to the form, because a redirect would have to
 * contain or store the secret.
 */
export const oneTimeSecretPage = ({ session, current, title, advice, values, back }: OneTimeSecret): Html =>
  consolePage({
    session,
    current,
    title,
    main: html`<h1>${title}</h1>
      ${notice('warning', 'Copy this now. It is not shown again.', `${advice} Do not reload this page: that would create another one.`)}
      ${definitionList(
        values.map(({ term, value }) => ({ term, value: copyable(value, `Copy the ${term.toLowerCase()}`) })),
      )}
      <p>${linkButton(back.href, back.text, 'quiet')}</p>`,
  })
