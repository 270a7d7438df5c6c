import { z } from 'zod'
import { RailError, type RailFailure } from '../../rail-error.ts'

/** A call and the shape of its result. */
export type JsonRpcCall<T> = Readonly<{ method: string; params: readonly unknown[]; shape: z.ZodType<T> }>

/** The endpoint answered with an error object. */
export class JsonRpcError extends RailError {
  /** The protocol's codes are -32768 to -32000 and differ in meaning between nodes; Bitcoin Core has its own. */
  readonly code: number

  constructor(failure: RailFailure, code: number, message: string) {
    super(failure, message)
    this.code = code
  }
}

/**
 * `result` of a missing block is null; of an error, Bitcoin Core answers both members, one of them null. An answer that
 * could not be told a call's id (a request that was not understood) has a null id.
 */
const Answer = z.object({
  id: z.union([z.int(), z.string(), z.null()]).optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string() }).nullish(),
})
export type Answer = z.infer<typeof Answer>
const Answers = z.union([z.array(Answer), Answer.transform((answer) => [answer])])

/** Texts of others are cut. */
const LONGEST_MESSAGE = 200

/** -32005 is the limit of EIP-1474; -28 Bitcoin Core's start; the others that a repetition cannot help. */
const FAILURES: Readonly<Record<number, RailFailure>> = {
  [-32005]: 'throttled',
  [-32600]: 'refused',
  [-32601]: 'refused',
  [-32602]: 'refused',
  [-32004]: 'refused',
  [-32006]: 'refused',
  [-1]: 'refused',
  [-3]: 'refused',
  [-5]: 'refused',
  [-8]: 'refused',
  [-22]: 'refused',
}

/** Returns the error objects and results of an HTTP body; null if it does not follow the protocol. */
export const parseAnswers = (text: string): readonly Answer[] | null => {
  try {
    return Answers.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** @throws JsonRpcError; RailError `malformed` for a result of another shape */
export const resultOf = <T>(
  { method, shape }: JsonRpcCall<T>,
  { error, result }: Answer,
  nameIt: (text: string) => string,
): T => {
  if (error) {
    const message = `${method}: ${error.code} ${error.message.slice(0, LONGEST_MESSAGE)}`
    throw new JsonRpcError(FAILURES[error.code] ?? 'unavailable', error.code, nameIt(message))
  }
  const parsed = shape.safeParse(result)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RailError(
    'malformed',
    nameIt(`${method}: the response has the wrong format at ${issue?.path.join('.')}`),
  )
}
