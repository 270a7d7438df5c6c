import type { Response } from 'express'

/** A signal that aborts when the response was sent or the caller disconnected. */
export const abortOnClose = (response: Response): AbortSignal => {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  return closed.signal
}
