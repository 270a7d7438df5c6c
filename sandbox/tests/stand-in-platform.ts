import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SANDBOX_SIGNATURE_HEADER } from '@causeway/rails'
import type { Notice } from '@causeway/rails/tests/card-world'

/** What the platform answers when it is asked whether a payer may pay. */
export type Word = 'allowed' | 'blocked' | 'failing' | 'nonsense'

const WORDS: Readonly<Record<Word, readonly [status: number, body: string]>> = {
  allowed: [200, JSON.stringify({ data: { allowed: true } })],
  blocked: [200, JSON.stringify({ data: { allowed: false } })],
  failing: [503, JSON.stringify({ data: { allowed: true } })],
  nonsense: [200, 'yes'],
}

/** Stands where the platform's callbacks are: takes notices, answers questions, and is the merchant's shop too. */
export const startStandInPlatform = async () => {
  const notices: Notice[] = []
  const questions: Notice[] = []
  const statuses: number[] = []
  let word: Word = 'allowed'
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const headers = { [SANDBOX_SIGNATURE_HEADER]: String(request.headers[SANDBOX_SIGNATURE_HEADER]) }
      if (request.url === '/notices') {
        notices.push({ headers, body })
        response.writeHead(statuses.shift() ?? 200).end()
      } else if (request.url === '/notices/authorizations') {
        questions.push({ headers, body })
        const [status, answer] = WORDS[word]
        response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
      } else {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(`<!doctype html><title>Shop</title><h1>Shop ${request.url ?? ''}</h1>`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    noticeUrl: `${url}/notices`,
    /** Everything posted, in the order of arrival. */
    notices,
    questions,
    /** How the next notices are answered; 200 afterwards. */
    answerNotices: (...next: number[]) => void statuses.push(...next),
    say: (next: Word) => {
      word = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
