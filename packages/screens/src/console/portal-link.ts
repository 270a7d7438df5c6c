import type { PortalLink } from '@causeway/contracts'
import type { z } from 'zod'
import { copyable, html, linkButton, notice, time, type Html } from '../design/index.ts'
import { consolePage, type ConsolePath, type StaffSession } from './frame.ts'

type Back = Readonly<{ href: string; text: string }>

/** Renders a portal link for one person of a partner or merchant. */
export const portalLinkPage = (
  session: StaffSession,
  current: ConsolePath,
  link: z.output<typeof PortalLink>,
  back: Back,
): Html =>
  consolePage({
    session,
    current,
    title: 'Portal link',
    main: html`<h1>Portal link</h1>
      ${notice(
        'warning',
        'Anyone with this link can sign in once.',
        html`Send it to one person. It opens one session of 8 hours, and expires at ${time(link.expires_at)}.`,
      )}
      <p>${copyable(link.url, 'Copy the link')}</p>
      <p>${linkButton(back.href, back.text, 'quiet')}</p>`,
  })
