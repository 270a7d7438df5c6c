import { encodeRequest, type RelayRequest } from './call.ts'
import { execute, type ExecuteOptions } from './execute.ts'
import type { Implementation } from './implement.ts'
import { decodeReply, encodeOutcome, type RelayedReply, type RequestMessage } from './wire.ts'

/**
 * Sends requests to operations of this process, in the form in which `relay` sends them over the bus. A caller need not
 * know who owns an operation.
 */
export const createLocalRelay = (implementations: readonly Implementation[], options: ExecuteOptions) => {
  const bySubject = new Map(
    implementations.map((implementation) => [implementation.operation.subject, implementation]),
  )
  return {
    serves: (subject: string): boolean => bySubject.has(subject),

    /** @throws for a subject that is not served */
    async relay(subject: string, request: RelayRequest): Promise<RelayedReply> {
      const implementation = bySubject.get(subject)
      if (implementation === undefined) throw new Error(`This process does not serve ${subject}`)
      const message = JSON.parse(encodeRequest(request)) as RequestMessage
      const deadlineMs = options.clock.outsideMs() + request.timeoutMs
      const outcome = await execute(implementation, { ...message, deadlineMs }, options)
      return decodeReply(Buffer.from(encodeOutcome(outcome)))
    },
  }
}
export type LocalRelay = ReturnType<typeof createLocalRelay>
