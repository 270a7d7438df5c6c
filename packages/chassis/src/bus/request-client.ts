import { receiverOf } from '@causeway/contracts'
import { createInbox, type NatsConnection } from '@nats-io/transport-node'
import type { Carried, Sender } from './sender.ts'
import { readRefusedReply } from './sent-replies.ts'

/** Share of requests that may be retried. */
const SHARE = 0.05
/** Maximum retries in reserve, for the death of a replica, also after few requests. */
const MOST = 64

/**
 * Limits retries: under an overload, where every request is slow, they add at most a twentieth to the load.
 */
const createRetryBudget = () => {
  let left = MOST
  return {
    /** Counts a request that is sent for the first time. */
    earn: (): void => {
      left = Math.min(MOST, left + SHARE)
    },
    /** Takes one retry. @returns false if none is left */
    take: (): boolean => {
      if (left < 1) return false
      left -= 1
      return true
    },
    /** Returns a retry that reached no service and so cost nothing. */
    giveBack: (): void => {
      left = Math.min(MOST, left + 1)
    },
  }
}

/**
 * Result of a request: the answer's bytes; `nobody`: there is no subscriber, so nothing was done; or `lost`: no answer
 * came in time, or the connection ended.
 */
export type Answer = Uint8Array | 'nobody' | 'lost'

export type Question = Carried &
  Readonly<{
    subject: string
    payload: string
    timeoutMs: number
    /** Makes the payload of the retry, with a separate seal; left out: no retry. */
    retryPayload?: () => string
  }>

/** Request-reply on core NATS. */
export type RequestClient = Readonly<{
  ask(question: Question): Promise<Answer>
  /** Settles a request by a reply that its service sent again, because NATS had refused it. */
  settleRefused(service: string, resent: Uint8Array): void
  /** Ends every request that waits for its answer: it is lost with the connection. */
  loseAll(): void
  /** True if no request waits for its response. */
  isIdle(): boolean
}>

type Waiting = {
  readonly question: Question
  readonly endsAtMs: number
  readonly settle: (answer: Answer) => void
  /** Ends of the reply subjects of every time that it was asked. */
  readonly tokens: string[]
  /** True if its reply subject receives at most one response. */
  isAnsweredOnce: boolean
  /** Time of the retry; infinite without one. */
  retryAtMs: number
}

/** How late a timeout may fire. One timer serves all requests: one for each would cost as much as the request. */
const SWEEP_MS = 50
const NO_RESPONDERS = 503
/** Share of the timeout after which a request without a response is retried: 1 s of 5. */
const RETRY_SHARE = 0.2
/** While nobody is there who could answer, it is asked at this pace. */
const AGAIN_NOBODY_MS = 250

/** Ends of reply subjects: those whose answer has come, to be used again, and new ones. */
const createTokens = () => {
  const free: string[] = []
  let created = 0
  const newToken = () => {
    created += 1
    return created.toString(36)
  }
  return { free, newToken }
}

/** The stream may acknowledge an event twice, when its leader moves meanwhile. */
const isAnsweredOnce = ({ eventId }: Question): boolean => eventId === undefined

const waitingFor = (question: Question, token: string, settle: Waiting['settle']): Waiting => {
  const nowMs = performance.now()
  const { timeoutMs, retryPayload } = question
  return {
    question,
    endsAtMs: nowMs + timeoutMs,
    settle,
    tokens: [token],
    isAnsweredOnce: isAnsweredOnce(question),
    retryAtMs: retryPayload === undefined ? Infinity : nowMs + timeoutMs * RETRY_SHARE,
  }
}

/**
 * Reply subjects are used again: for a subject that it has seen, the server takes its routes and permissions from a
 * cache, which saves it a sixth of its CPU time. One whose answer has not come in time is never used again, so that no
 * late answer is taken for another request's.
 */
export const createRequestClient = (
  connection: NatsConnection,
  sender: Sender,
  inboxPrefix: string,
): RequestClient => {
  const budget = createRetryBudget()
  const inbox = `${createInbox(inboxPrefix)}.`
  const waiting = new Map<string, Waiting>()
  const { free, newToken } = createTokens()
  let timer: NodeJS.Timeout | null = null

  const settle = (token: string, answer: Answer) => {
    const asked = waiting.get(token)
    if (asked === undefined) return
    if (answer === 'nobody' && !asked.isAnsweredOnce && asked.question.retryPayload !== undefined) {
      budget.giveBack()
      asked.retryAtMs = performance.now() + AGAIN_NOBODY_MS
      return
    }
    for (const one of asked.tokens) waiting.delete(one)
    if (asked.isAnsweredOnce && answer !== 'lost') free.push(token)
    asked.settle(answer)
  }
  /**
   * Sends the retry with a separate reply subject. The server (2.14, `allow_responses` with a maximum of 1) counts a
   * second request with the reply subject of a pending one as its response: a replica that receives both could respond
   * to neither. A retried request may get two responses, so its reply subjects are not reused.
   */
  const retry = (asked: Waiting) => {
    const { subject, retryPayload, traceparent = null } = asked.question
    if (retryPayload === undefined) return
    asked.isAnsweredOnce = false
    asked.retryAtMs = Infinity
    const token = newToken()
    asked.tokens.push(token)
    waiting.set(token, asked)
    sender.send(subject, retryPayload(), { traceparent, reply: inbox + token })
  }
  const sweep = () => {
    const nowMs = performance.now()
    for (const [token, asked] of waiting)
      if (asked.endsAtMs <= nowMs) settle(token, 'lost')
      else if (asked.retryAtMs <= nowMs && budget.take()) retry(asked)
    timer = waiting.size > 0 ? setTimeout(sweep, SWEEP_MS) : null
  }
  connection.subscribe(`${inbox}*`, {
    callback: (error, message) => {
      if (error) return
      const isNobody = message.data.length === 0 && message.headers?.code === NO_RESPONDERS
      settle(message.subject.slice(inbox.length), isNobody ? 'nobody' : message.data)
    },
  })

  return {
    ask: (question) =>
      new Promise((resolve) => {
        const { subject, payload, timeoutMs: _, retryPayload, ...carried } = question
        const token = (isAnsweredOnce(question) ? free.pop() : undefined) ?? newToken()
        sender.send(subject, payload, { ...carried, reply: inbox + token })
        if (retryPayload !== undefined) budget.earn()
        waiting.set(token, waitingFor(question, token, resolve))
        timer ??= setTimeout(sweep, SWEEP_MS)
      }),
    settleRefused(service, resent) {
      const { subject, reply } = readRefusedReply(resent)
      const token = subject.startsWith(inbox) ? subject.slice(inbox.length) : ''
      const asked = waiting.get(token)
      // NATS checks who sends this: a service replies to its own requests alone.
      if (asked !== undefined && receiverOf(asked.question.subject) === service) settle(token, reply)
    },
    loseAll() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      for (const token of [...waiting.keys()]) settle(token, 'lost')
    },
    isIdle: () => waiting.size === 0,
  }
}
