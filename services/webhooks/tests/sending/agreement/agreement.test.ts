import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { createConnect } from '../../../src/connect-guard/connect.ts'
import { dial } from '../../../src/connect-guard/dial.ts'
import { describeFailure } from '../../../src/connect-guard/failure.ts'
import { readTarget } from '../../../src/connect-guard/target.ts'
import { Connection } from '../../../src/sending/connection.ts'
import { RequestTemplate } from '../../../src/sending/request.ts'
import { signingKey } from '../../../src/sending/signature.ts'
import { ANSWER } from './answers.ts'
import { cut, serveAnswers } from './served-answers.ts'
import { attemptByUndici, type Seen } from './undici-attempt.ts'

const COUNT = 4_000
const AT_ONCE = 50
const NEVER_MET_MS = 600_000
const connect = createConnect({ resolve: async (host) => [host], dial, allowInsecure: true })
const key = signingKey('ab'.repeat(32))

const attemptByUs = (origin: string, path: string): Promise<Seen> =>
  new Promise((resolve) => {
    const target = readTarget(origin + path)
    if (!target) throw new Error(`No target: ${origin}${path}`)
    const template = new RequestTemplate({ id: 'whk_1', key, target })
    const connection = new Connection(target, connect)
    const outgoing = { template, eventId: 'evt_1', body: Buffer.from('{}'), atMs: 0, timeoutMs: NEVER_MET_MS }
    connection.send(outgoing, ({ statusCode, failure, retryAfter, body }) => {
      connection.close()
      const error = statusCode === null ? describeFailure(failure) : null
      resolve({ statusCode, error, retryAfter, body: body.toString('latin1') })
    })
  })

type Answer = Readonly<{ bytes: string; cuts: readonly number[] }>

/** undici ends a connection at 100, which every client has to skip (RFC 9110 §15.2.1): it gets 103 instead. */
const forUndici = (bytes: string) => bytes.replaceAll(/(HTTP\/\d\.\d 10)0/g, '$13')

/**
 * Meant to differ: a 101 is recorded, where undici fails; RTSP and ICE are not HTTP; a status line that ends in two
 * CR is refused (RFC 9112 §2.2), as by llhttp since the version that undici has; and a tab may follow an option of
 * Connection (RFC 9110 §5.6.3), where llhttp takes it for a part of the option.
 */
const isMeantToDiffer = ({ bytes }: Answer) =>
  /HTTP\/\d\.\d 101|^[\r\n]*(RTSP|ICE)\/|HTTP\/\d\.\d \d\d\d[^\r\n]*\r\r/.test(bytes) ||
  /^(proxy-)?connection:[^\r\n]*(close|keep-alive|upgrade)\t/im.test(bytes)

/** Serves each answer to both. @returns those that are not seen alike */
const differences = async (answers: readonly Answer[]) => {
  const pieces = (bytes: string, cuts: readonly number[]) => ({
    pieces: cut(Buffer.from(bytes, 'latin1'), cuts),
  })
  const ours = await serveAnswers(answers.map(({ bytes, cuts }) => pieces(bytes, cuts)))
  const theirs = await serveAnswers(answers.map(({ bytes, cuts }) => pieces(forUndici(bytes), cuts)))
  const found: unknown[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < answers.length; index = next++) {
      const [us, undici] = await Promise.all([
        attemptByUs(ours.origin, `/${index}`),
        attemptByUndici(theirs.origin, `/${index}`, '{}'),
      ])
      if (JSON.stringify(us) !== JSON.stringify(undici)) found.push({ ...answers[index], us, undici })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await Promise.all([ours.close(), theirs.close()])
  return found
}

describe('an answer is recorded as undici would see it', () => {
  test(`${COUNT} answers from TEST_SEED, well-formed and not, in pieces`, async () => {
    const answers = fc.sample(ANSWER, COUNT).filter((answer) => !isMeantToDiffer(answer))
    expect((await differences(answers)).slice(0, 5)).toEqual([])
    expect(answers.length).toBeGreaterThan(0.9 * COUNT)
  })

  const published = JSON.parse(
    readFileSync(new URL('llhttp-answers.json', import.meta.url), 'utf8'),
  ) as Readonly<{ answers: readonly Readonly<{ title: string; bytes: string }>[] }>
  test('the answers that llhttp publishes, whole and byte by byte', async () => {
    const byByte = (bytes: string) => Array.from({ length: bytes.length }, (_, index) => index)
    const answers = published.answers
      .flatMap(({ bytes }) => [
        { bytes, cuts: [] },
        { bytes, cuts: byByte(bytes) },
      ])
      .filter((answer) => !isMeantToDiffer(answer))
    expect(await differences(answers)).toEqual([])
    expect(answers.length).toBeGreaterThan(120)
  })
})
