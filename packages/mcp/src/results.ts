import { ApiError, ConnectionError } from '@causeway/client'
import type { CallToolResult } from '@modelcontextprotocol/server'

/** `data` of an answer, as text and as it is. */
export const resultOf = (data: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(data) }],
  structuredContent: data,
})

type Failure = Readonly<{ code: string; message: string; details?: unknown; request_id?: string | null }>

/** Describes a failure for a person or an assistant; null for a defect of this program. */
export const failureOf = (error: unknown): Failure | null => {
  if (error instanceof ApiError) {
    const { code, message, details, requestId } = error
    return { code, message, details, request_id: requestId }
  }
  if (error instanceof ConnectionError)
    return {
      code: 'unreachable',
      message: `${error.message}. Is CAUSEWAY_BASE_URL right, and the platform up?`,
    }
  return null
}

/** A failure that the assistant reads. @throws what is no failure of a call */
export const failedResultOf = (error: unknown): CallToolResult => {
  const failure = failureOf(error)
  if (failure === null) throw error
  return { isError: true, ...resultOf({ error: failure }) }
}

/** Arguments that a tool does not take: what is wrong with each, by its name. */
export const refusedResultOf = (tool: string, reasons: string): CallToolResult => ({
  isError: true,
  ...resultOf({ error: { code: 'invalid_arguments', message: `${tool}: ${reasons}` } }),
})
