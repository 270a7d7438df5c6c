import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import type { SharedPlatform } from './platform.ts'

type Hit = Readonly<{ headers: IncomingHttpHeaders; body: string }>

/** A receiver whose answer a test changes or holds back, and which keeps what came. */
export const startPlainReceiver = async () => {
  const hits: Hit[] = []
  let answer = { status: 200, body: '', after: Promise.resolve() }
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      hits.push({ headers: request.headers, body: body.toString() })
      await answer.after
      response.writeHead(answer.status).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    hits,
    answerWith: (status: number, body: string, after = Promise.resolve()) => {
      answer = { status, body, after }
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A new link for the people of a partner or a merchant. @param owner such as `partners/prt_…` */
export const newPortalLink = async ({ staff }: SharedPlatform, owner: string): Promise<string> => {
  const made = await staff.post(`/api/operator/${owner}/portal-links`)
  return dataOf<{ portal_link: { url: string } }>(made).portal_link.url
}

export type Visited = Readonly<{ status: number; location: string | null; text: string; headers: Headers }>

/** A browser without a screen: sends what a test wants to, with a cookie. */
export const visit = async (
  url: string,
  { cookie, form }: Readonly<{ cookie?: string; form?: Record<string, string> }> = {},
): Promise<Visited> => {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
    ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
  })
  const { status, headers } = answer
  return { status, location: headers.get('location'), text: await answer.text(), headers }
}

/** Opens a session by a link. @returns its cookie, and the token that its forms carry */
export const signInByLink = async (platform: SharedPlatform, owner: string) => {
  const opened = await visit(await newPortalLink(platform, owner), { form: {} })
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { text } = await visit(`${platform.baseUrl}/portal`, { cookie })
  return { cookie, formToken: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '' }
}
