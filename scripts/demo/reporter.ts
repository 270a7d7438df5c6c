import type { Answer, AnswerBody, Asked } from '@causeway/dev-env/platform/raw-client'

/** Receives the progress of the tour. */
export type Reporter = {
  step: (title: string) => void
  exchange: (asked: Asked, answer: Answer) => void
  log: (line: string) => void
}

/** Converts a form to the JSON that the API accepts instead, so that all calls are printed alike. */
const jsonOfForm = async (form: FormData): Promise<Record<string, unknown>> => {
  const file = form.get('file') as File
  const { file: _file, ...fields } = Object.fromEntries(form)
  const content = Buffer.from(await file.arrayBuffer()).toString('base64')
  return { ...fields, file_name: file.name, content_base64: content }
}

const bodyOf = async (body: RequestInit['body']): Promise<unknown> => {
  if (body === undefined || body === null) return undefined
  if (body instanceof FormData) return jsonOfForm(body)
  if (typeof body !== 'string') throw new Error('The demo sends texts and forms alone')
  return body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
}

/** A `fetch` for a client of the API that reports each request with its answer. */
export const reportedFetch =
  (exchange: Reporter['exchange']): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const asked = {
      method: init?.method ?? 'GET',
      path: `${pathname}${search}`,
      body: await bodyOf(init?.body),
    }
    const body = (await response.clone().json()) as AnswerBody
    exchange(asked, { status: response.status, headers: response.headers, body })
    return response
  }
