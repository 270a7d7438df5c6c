import { createClock } from '@causeway/chassis'
import { eventually, runSql } from '@causeway/chassis/testing'
import { readMails, startSandbox } from '../../../../sandbox/src/testing/index.ts'
import {
  BASE_URL,
  newPartner,
  openFixture,
  type Replica,
} from '../../../gateway/tests/fixtures/running-gateway.ts'
import { toMailConfig } from '../../src/mail/settings.ts'

export const MINUTE_MS = 60_000
const FORM_TOKEN = /name="form_token" value="([\w-]+)"/

export type Visited = Readonly<{ status: number; location: string | null; text: string }>

/** A browser without a screen: keeps its cookies, and sends what a test wants to. */
export const newBrowser = (gateway: Pick<Replica, 'call'>) => {
  const jar = new Map<string, string>()
  const keep = (lines: readonly string[]) => {
    for (const line of lines) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
  }
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    form?: Record<string, string>,
  ): Promise<Visited> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await gateway.call(method, path, {
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { raw: new URLSearchParams(form).toString() }),
    })
    keep([answer.headers['set-cookie'] ?? []].flat())
    const location = answer.headers['location']
    return {
      status: answer.status,
      location: typeof location === 'string' ? location : null,
      text: answer.text,
    }
  }
  return {
    jar,
    get: (path: string) => send('GET', path),
    post: (path: string, form: Record<string, string> = {}) => send('POST', path, form),
    /** Posts a form of a page with the token that this page has. */
    async submit(page: string, path: string, form: Record<string, string> = {}) {
      const [, token = ''] = FORM_TOKEN.exec((await send('GET', page)).text) ?? []
      return send('POST', path, { form_token: token, ...form })
    },
  }
}
export type TestBrowser = ReturnType<typeof newBrowser>

/** A gateway and an access that sends mail to a sandbox, with a clock that only the test moves. */
export const startPeople = async () => {
  const startedMs = Date.now()
  const clock = createClock(() => startedMs)
  const sandbox = await startSandbox({ mailPort: 0 }, clock)
  const mail = toMailConfig({
    MAIL_URL: sandbox.mailUrl() ?? '',
    MAIL_FROM: 'Causeway <no-reply@pay.example>',
  })
  const fixture = await openFixture(clock)
  const gateway = await fixture.startReplica({ mail })

  /** The path of the newest link for an address of a subject, once `count` such mails have arrived. */
  const linkFor = async (email: string, subject: string, count = 1): Promise<string> => {
    const mails = async () =>
      (await readMails(sandbox.url(), email)).filter((each) => each.subject === subject)
    await eventually(async () => (await mails()).length >= count)
    return (await mails())[0]?.links[0]?.replace(BASE_URL, '') ?? ''
  }
  const invitationFor = (email: string, count?: number) => linkFor(email, 'Invitation to the portal', count)

  const joined = async (owner: string, email: string, role: string, mails = 1) => {
    const made = await gateway.operate('POST', `/${owner}/people`, { email, role })
    if (made.status !== 201) throw new Error(`The invitation answered ${made.status}: ${made.text}`)
    await newBrowser(gateway).post(await invitationFor(email, mails))
    return (made.data as unknown as { person: { person_id: string } }).person.person_id
  }

  return {
    clock,
    sandbox,
    fixture,
    gateway,
    linkFor,
    invitationFor,
    mailsTo: (email: string) => readMails(sandbox.url(), email),
    sql: <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
      runSql<T>(fixture.databaseUrl, text, values),
    newPartnerId: async () => (await newPartner(gateway)).partner.partner_id,
    /** Invites a person by staff and accepts. @param owner such as `partners/prt_…` @returns the id */
    joined,
    /** Asks for a link and returns its path. */
    async askForLink(browser: TestBrowser, email: string, count = 1) {
      await browser.post('/portal/sign-in', { email })
      return linkFor(email, 'Sign in to the portal', count)
    },
    async close() {
      await fixture.close()
      await sandbox.stop()
    },
  }
}
export type StartedPeople = Awaited<ReturnType<typeof startPeople>>
