import type { Response } from 'express'

/** Fires when the caller has its answer or has gone. */
export const closed = (response: Response): AbortSignal => {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}
