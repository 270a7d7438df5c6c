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

/** What was asked for, with a document named by its size and hash instead of its bytes. */
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

/** The document of an agreement that is to be published, where it is text. */
export const askedDocument = (action: PendingAction): Html => {
  const bytes = bytesIn(action)
  if (bytes === null) return EMPTY
  const text = textOf(bytes)
  return html`<section class="sheet" aria-labelledby="document">
    <h2 id="document">The document</h2>
    ${
      text === null
        ? html`<p>
            It is not text. Ask who wants to publish it for the file, and compare its SHA-256:
            ${describe(bytes)}.
          </p>`
        : codeBlock('Text of the document', text)
    }
  </section>`
}
