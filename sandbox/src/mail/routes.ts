import { Router } from 'express'
import { z } from 'zod'
import { parseRequest } from '../http/answers.ts'
import { screenHeaders } from '../screen-routes.ts'
import { MAIL_MODES, type MailCatcher } from './catcher.ts'
import type { Inbox } from './inbox.ts'
import { inboxPage, mailPage, unknownMailPage } from './page.ts'

const FaultRequest = z.strictObject({
  mode: z.enum(MAIL_MODES),
  count: z.int().min(1).max(1_000_000).nullable().default(null),
})
const ListQuery = z.strictObject({ to: z.string().max(320).optional() })

/** The inbox of the mail catcher, for people, below `/mail`. */
export const inboxRoutes = (inbox: Inbox): Router => {
  const routes = Router()
  routes.use(screenHeaders)
  routes.get('/', (_request, response) => {
    response.type('html').send(inboxPage(inbox.list(null)).toString())
  })
  routes.get('/:mailId', (request, response) => {
    const mail = inbox.get(request.params.mailId)
    response
      .status(mail === null ? 404 : 200)
      .type('html')
      .send((mail === null ? unknownMailPage() : mailPage(mail)).toString())
  })
  return routes
}

/** Control endpoints of the mail catcher: its mails, and its faults. */
export const mailControls = (inbox: Inbox, catcher: MailCatcher | null): Router => {
  const routes = Router()
  routes.get('/mail', (request, response) => {
    const { to = null } = parseRequest(ListQuery, request.query)
    response.json({ mails: inbox.list(to) })
  })
  routes.put('/mail/faults', (request, response) => {
    const fault = parseRequest(FaultRequest, request.body)
    catcher?.setFault(fault)
    response.json(fault)
  })
  return routes
}
