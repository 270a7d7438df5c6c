import type { PortalLink } from '@causeway/contracts'
import type { z } from 'zod'
import { copyable, html, linkButton, notice, time, type Html } from '../design/index.ts'
import { consolePage, type ConsolePath, type StaffSession } from './frame.ts'

type Back = Readonly<{ href: string; text: string }>

/** The page with a link to the portal, which is for one person of a partner or a merchant. */
export const portalLinkPage = (
  session: StaffSession,
  current: ConsolePath,
  link: z.output<typeof PortalLink>,
  back: Back,
): Html =>
  consolePage({
    session,
    current,
    title: 'A link to the portal',
    main: html`<h1>A link to the portal</h1>
      ${notice(
        'warning',
        'Whoever opens it first may act.',
        html`Send it to one person. It opens one session of 8 hours, until ${time(link.expires_at)}.`,
      )}
      <p>${copyable(link.url, 'the link')}</p>
      <p>${linkButton(back.href, back.text, 'quiet')}</p>`,
  })
