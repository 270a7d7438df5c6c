import { OPERATOR_KEY, type Answer, type Replica } from '../fixtures/running-gateway.ts'

const FORM = 'application/x-www-form-urlencoded'

/** The value of a cookie that an answer sets, as a browser sends it back. */
export const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0] ?? ''

export const formTokenIn = ({ text }: Answer): string =>
  /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

type Fields = Readonly<Record<string, string | readonly string[]>>

const encode = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  ).toString()

/** Posts a form as a page of the screens does. */
export const postForm = (replica: Replica, path: string, fields: Fields, cookie = ''): Promise<Answer> =>
  replica.call('POST', path, { raw: encode(fields), headers: { 'content-type': FORM, cookie } })

/** A member of staff who is signed in to the console, without a browser. */
export const signIn = async (replica: Replica, key: string = OPERATOR_KEY) => {
  const cookie = cookieOf(await postForm(replica, '/console/sign-in', { key }))
  const open = (path: string) => replica.call('GET', path, { headers: { cookie } })
  const token = formTokenIn(await open('/console'))
  return {
    cookie,
    open,
    post: (path: string, fields: Fields = {}) =>
      postForm(replica, path, { form_token: token, ...fields }, cookie),
  }
}
export type Visitor = Awaited<ReturnType<typeof signIn>>
