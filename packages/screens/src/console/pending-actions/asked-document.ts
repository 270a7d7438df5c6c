import { createHash } from 'node:crypto'
import { agreements, type PendingAction } from '@causeway/contracts'
import { codeBlock, EMPTY, html, type Html } from '../../design/index.ts'

const FIELD = 'content_base64'

const bytesIn = ({ action, asked }: PendingAction): Buffer | null => {
  const content = (asked as Readonly<Record<string, unknown>> | null)?.[FIELD]
  return action === agreements.publish.subject && typeof content === 'string'
    ? Buffer.from(content, 'base64')
    : null
}

const describe = (bytes: Buffer): string =>
  `${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`

/** Returns the request, with a document replaced by its size and hash. */
export const askedOf = (action: PendingAction): unknown => {
  const bytes = bytesIn(action)
  return bytes === null ? action.asked : { ...(action.asked as object), [FIELD]: describe(bytes) }
}

const textOf = (bytes: Buffer): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? null : text
  } catch {
    return null
  }
}

/** Renders the document of an agreement to publish, if it is text. */
export const askedDocument = (action: PendingAction): Html => {
  const bytes = bytesIn(action)
  if (bytes === null) return EMPTY
  const text = textOf(bytes)
  return html`<section class="sheet" aria-labelledby="document">
    <h2 id="document">Document</h2>
    ${
      text === null
        ? html`<p>
            The document is not text. Ask the requester for the file and compare its SHA-256:
            ${describe(bytes)}.
          </p>`
        : codeBlock('Text of the document', text)
    }
  </section>`
}
