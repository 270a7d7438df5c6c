import { createInbox, type NatsConnection } from '@nats-io/transport-node'
import type { Carried, Sender } from './sender.ts'

/**
 * Result of a request: the answer's bytes; `nobody`: there is no subscriber, so nothing was done; or `lost`: no answer
 * came in time, or the connection ended.
 */
export type Answer = Uint8Array | 'nobody' | 'lost'

export type Question = Carried & Readonly<{ subject: string; payload: string; timeoutMs: number }>

/** Request-reply on core NATS. */
export type RequestClient = Readonly<{
  ask(question: Question): Promise<Answer>
  /** Ends every request that waits for its answer: it is lost with the connection. */
  loseAll(): void
}>

type Waiting = Readonly<{
  endsAtMs: number
  settle: (answer: Answer) => void
  /** Whether no further answer can come to its reply subject once there is one. */
  isAnsweredOnce: boolean
}>

/** How late a timeout may fire. One timer serves all requests: one for each would cost as much as the request. */
const SWEEP_MS = 50
const NO_RESPONDERS = 503

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
  const inbox = `${createInbox(inboxPrefix)}.`
  const waiting = new Map<string, Waiting>()
  /** Ends of reply subjects whose answer has come, to be used again. */
  const free: string[] = []
  let created = 0
  let timer: NodeJS.Timeout | null = null

  const newToken = () => {
    created += 1
    return created.toString(36)
  }
  const settle = (token: string, answer: Answer) => {
    const question = waiting.get(token)
    if (question === undefined) return
    waiting.delete(token)
    if (question.isAnsweredOnce && answer !== 'lost') free.push(token)
    question.settle(answer)
  }
  const sweep = () => {
    const nowMs = performance.now()
    for (const [token, { endsAtMs }] of waiting) if (endsAtMs <= nowMs) settle(token, 'lost')
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
    ask: ({ subject, payload, timeoutMs, ...carried }) =>
      new Promise((resolve) => {
        // The stream may acknowledge an event twice, when its leader moves meanwhile.
        const isAnsweredOnce = carried.eventId === undefined
        const token = (isAnsweredOnce ? free.pop() : undefined) ?? newToken()
        sender.send(subject, payload, { ...carried, reply: inbox + token })
        waiting.set(token, { endsAtMs: performance.now() + timeoutMs, settle: resolve, isAnsweredOnce })
        timer ??= setTimeout(sweep, SWEEP_MS)
      }),
    loseAll() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      for (const token of [...waiting.keys()]) settle(token, 'lost')
    },
  }
}
