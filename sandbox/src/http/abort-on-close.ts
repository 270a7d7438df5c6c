import type { Response } from 'express'

/**
 * A signal that aborts when the response was sent or the caller disconnected, and with another signal, at which nothing of
 * it stays.
 */
export const abortOnClose = (response: Response, stopping?: AbortSignal): AbortSignal => {
  const closed = new AbortController()
  const abort = () => closed.abort()
  if (stopping?.aborted) abort()
  stopping?.addEventListener('abort', abort)
  response.once('close', () => {
    abort()
    stopping?.removeEventListener('abort', abort)
  })
  return closed.signal
}
