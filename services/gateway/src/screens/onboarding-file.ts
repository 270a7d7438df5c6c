import { call, type Blobs } from '@causeway/chassis'
import { documents } from '@causeway/contracts'
import { readDocuments, type OnboardingRequest } from '@causeway/screens'
import { sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { sendDocumentFile } from '../routes/files.ts'
import { callerOf, type OnboardingAskOptions, type OpenedLink } from './onboarding-ask.ts'

export type OnboardingFileOptions = OnboardingAskOptions & Readonly<{ blobs: Blobs }>

/** The token of the document's short-lived URL is the last part of its path. */
const tokenOf = (downloadUrl: string): string => downloadUrl.slice(downloadUrl.lastIndexOf('/') + 1)

/**
 * Sends the bytes of a document to the holder of a link, as the partner would get them by its own `download_url`. That
 * one names a document of any customer of the partner: only one that is in the list of the link's customer is sent.
 */
export const sendOnboardingFile = async (
  options: OnboardingFileOptions,
  exchange: Exchange,
  link: OpenedLink,
  request: Pick<OnboardingRequest, 'ask' | 'link' | 'params'>,
): Promise<void> => {
  const { bus, clock, timeoutMs, blobs } = options
  const documentId = request.params['documentId'] ?? ''
  const listed = await readDocuments(request)
  if (!listed.ok || !listed.value.some(({ document_id: id }) => id === documentId)) {
    sendError(exchange, listed.ok ? 'resource_not_found' : listed.code)
    return
  }
  const common = { requestId: exchange.requestId, timeoutMs, safe: true }
  const made = await call(bus, clock, documents.createDownload, {
    ...common,
    params: { documentId },
    caller: callerOf(link),
  })
  if (!made.ok) {
    sendError(exchange, made.code)
    return
  }
  const found = await call(bus, clock, documents.getDownload, {
    ...common,
    params: { token: tokenOf(made.value.download_url) },
    caller: { kind: 'public' },
  })
  if (found.ok) await sendDocumentFile(blobs, exchange, found.value)
  else sendError(exchange, found.code)
}
