import type { Credential } from './credentials.ts'
import { AuthenticationError } from './errors.ts'
import { exchange, failureOf, type Answer, type Outgoing } from './exchange.ts'
import { DEFAULTS, type ClientOptions, type LogEvent } from './options.ts'
import { mayRetry, waitMsBefore } from './retries.ts'
import { sleep } from './waiting.ts'

/** One call: what it sends, and how often it may. */
export type Call = Omit<Outgoing, 'url'> &
  Readonly<{
    operation: string
    /** With its query. */
    path: string
    /** The path without what is filled in, for the log. */
    template: string
    isRepeatable: boolean
    /** False for a body that can be read once. */
    isResendable: boolean
    credential: Credential | null
  }>

/** The parts of {@link LogEvent} that are not in every event. */
type Told<E> = E extends LogEvent ? Omit<E, 'operation' | 'attempt'> : never

/** Sends a call until it succeeds, or may not be sent again. */
export const createCaller = (options: ClientOptions) => {
  const send = options.fetch ?? fetch
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  // Its value is not told: a password may be in it.
  if (!/^https?:\/\/[^/@]+(\/|$)/.test(baseUrl))
    throw new TypeError('baseUrl is no address such as https://payments.example')
  const retries = {
    maxRetries: options.maxRetries ?? DEFAULTS.maxRetries,
    maxRetryAfterMs: options.maxRetryAfterMs ?? DEFAULTS.maxRetryAfterMs,
  }

  /** One attempt. @throws the failure that its answer is */
  const attemptOnce = async (call: Call, credentials: object, tell: (told: Told<LogEvent>) => void) => {
    const begunMs = performance.now()
    const durationMs = () => Math.round(performance.now() - begunMs)
    tell({ event: 'request', method: call.method, path: call.template })
    let answer: Answer
    try {
      const headers = { ...call.headers, ...credentials }
      answer = await exchange(send, { ...call, headers, url: baseUrl + call.path })
    } catch (error) {
      tell({ event: 'failure', error: error as Error, durationMs: durationMs() })
      throw error
    }
    const requestId = answer.headers.get('x-request-id')
    tell({ event: 'response', status: answer.status, requestId, durationMs: durationMs() })
    const failure = failureOf(answer)
    if (failure !== null) throw failure
    return answer
  }

  /** @throws CausewayError, or the reason of the call's signal */
  return async (call: Call): Promise<Answer> => {
    let isRenewed = false
    let retried = 0
    for (let attempt = 1; ; attempt += 1) {
      const tell = (told: Told<LogEvent>) => options.log?.({ operation: call.operation, attempt, ...told })
      const credentials = (await call.credential?.headers(call.signal)) ?? {}
      try {
        return await attemptOnce(call, credentials, tell)
      } catch (error) {
        if (!call.isResendable) throw error
        if (
          error instanceof AuthenticationError &&
          !isRenewed &&
          call.credential?.renew(credentials, error)
        ) {
          isRenewed = true
          continue
        }
        retried += 1
        const waitMs = mayRetry(error, call.isRepeatable) ? waitMsBefore(error, retried, retries) : null
        if (waitMs === null) throw error
        tell({ event: 'retry', error: error as Error, waitMs })
        await sleep(waitMs, call.signal)
      }
    }
  }
}
export type Caller = ReturnType<typeof createCaller>
