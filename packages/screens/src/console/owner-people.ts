import { people, type PortalRole, type PortalMember } from '@causeway/contracts'
import { html } from '../design/index.ts'
import { formWith, titleOf, type FormState } from '../form-state.ts'
import { peopleSection, readInvitation } from '../portal/people/screens.ts'
import { problemOf } from '../portal/people/problems.ts'
import { answerRefusedForm, pageOf, redirectTo, type Refused } from '../replies.ts'
import { sessionScreen, type Answer, type Ask, type Reply, type Screen } from '../screen.ts'
import { consoleForm, consolePage, type ConsolePath, type StaffRequest } from './frame.ts'
import { MERCHANTS_PATH } from './merchants/view.ts'
import { PARTNERS_PATH } from './partners/list-view.ts'

type Listed = Reply<(typeof people)['listOfPartner']>
type Invited = Reply<(typeof people)['inviteToPartner']>
type Invitation = Readonly<{ email: string; role: PortalRole }>

/** A partner or a merchant, whose people staff manage. */
type Owner = Readonly<{
  parameter: 'partnerId' | 'customerId'
  path: ConsolePath
  title: string
  list: (ask: Ask, id: string) => Promise<Listed>
  invite: (ask: Ask, id: string, body: Invitation) => Promise<Invited>
}>

const OWNERS: readonly Owner[] = [
  {
    parameter: 'partnerId',
    path: PARTNERS_PATH,
    title: 'Partner',
    list: (ask, partnerId) => ask(people.listOfPartner, { params: { partnerId } }),
    invite: (ask, partnerId, body) => ask(people.inviteToPartner, { params: { partnerId }, body }),
  },
  {
    parameter: 'customerId',
    path: MERCHANTS_PATH,
    title: 'Merchant',
    list: (ask, customerId) => ask(people.listOfMerchant, { params: { customerId } }),
    invite: (ask, customerId, body) => ask(people.inviteToMerchant, { params: { customerId }, body }),
  },
]

type Visit = Readonly<{ owner: Owner; request: StaffRequest; now: Date }>

const idOf = ({ owner, request }: Visit): string => request.params[owner.parameter] ?? ''
const pathOf = (visit: Visit): string => `${visit.owner.path}/${idOf(visit)}/people`

const pageWith = (visit: Visit, rows: readonly PortalMember[], state: FormState) => {
  const { owner, request, now } = visit
  const { session } = request
  const id = idOf(visit)
  const place = {
    path: pathOf(visit),
    form: (action: string, content: Parameters<typeof consoleForm>[2]) =>
      consoleForm(session, action, content),
    ownId: null,
  }
  return consolePage({
    session,
    current: owner.path,
    title: titleOf('People', state),
    main: html`<h1>People</h1>
      <p class="hint">${owner.title} <a href="${owner.path}/${id}">${id}</a></p>
      ${peopleSection({ place, people: rows, canInvite: true, state, now })}`,
  })
}

const show = async (visit: Visit, state: FormState = formWith(), status = 200): Promise<Answer> => {
  const reply = await visit.owner.list(visit.request.ask, idOf(visit))
  return reply.ok
    ? pageOf(pageWith(visit, reply.value.people, state), status)
    : { kind: 'error', code: reply.code }
}

const refused = (visit: Visit, reply: Refused): Promise<Answer> =>
  answerRefusedForm(reply, visit.request.form, (state, status) =>
    show(visit, { ...state, problem: problemOf(reply) ?? state.problem }, status),
  )

const invite = async (visit: Visit): Promise<Answer> => {
  const read = readInvitation(visit.request.form)
  if (!read.ok) return show(visit, read.state, 400)
  const { email, role } = read
  const reply = await visit.owner.invite(visit.request.ask, idOf(visit), { email, role })
  return reply.ok ? redirectTo(pathOf(visit)) : refused(visit, reply)
}

const personOf = ({ request }: Visit) => ({ personId: request.params['personId'] ?? '' })

const changeRole = async (visit: Visit): Promise<Answer> => {
  const { ask, form } = visit.request
  // The operation judges the role, after the rights of the person who posts the form.
  const role = (form.get('role') ?? '') as PortalRole
  const reply = await ask(people.update, { params: personOf(visit), body: { role } })
  return reply.ok ? redirectTo(pathOf(visit)) : refused(visit, reply)
}

const remove = async (visit: Visit): Promise<Answer> => {
  const reply = await visit.request.ask(people.remove, { params: personOf(visit) })
  return reply.ok ? redirectTo(pathOf(visit)) : refused(visit, reply)
}

const screensOf = (owner: Owner, now: () => Date): readonly Screen[] => {
  const path = `${owner.path}/:${owner.parameter}/people`
  const screen = (method: 'GET' | 'POST', at: string, answer: (visit: Visit) => Promise<Answer>) =>
    sessionScreen('console', {
      method,
      path: at,
      answer: (request) => answer({ owner, request, now: now() }),
    })
  return [
    screen('GET', path, (visit) => show(visit)),
    screen('POST', path, invite),
    screen('POST', `${path}/:personId/role`, changeRole),
    screen('POST', `${path}/:personId/remove`, remove),
  ]
}

/** The people of partners and merchants, for an admin (decisions §56). */
export const ownerPeopleScreens = (now: () => Date): readonly Screen[] =>
  OWNERS.flatMap((owner) => screensOf(owner, now))
