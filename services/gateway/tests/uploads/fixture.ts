import { expect } from '@jest/globals'
import { createLogger, implement, newId, openBlobStore, refuse, reply, serve } from '@causeway/chassis'
import { eventually, testReceiverKeys } from '@causeway/chassis/testing'
import { BLOB_BUCKET, documents, type Document } from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { KNOWN_CUSTOMER } from '../fixtures/script.ts'
import { newPartner, openFixture, type Fixture } from '../fixtures/running-gateway.ts'

export const PDF = Buffer.from('%PDF-1.7 what the bank says')
export const PATH = `/api/v1/partner/customers/${KNOWN_CUSTOMER}/documents`
const AT = '2026-01-02T03:04:05.678Z'

type Created = { document: Document; blob_key: string; blob_secret: string }

/** Fake of onboarding: accepts uploads of one customer, and deletes failed ones. */
const serveDocuments = async ({ bus, clock }: Fixture) => {
  const store = await openBlobStore({ kind: 'jetstream' }, { bus, clock })
  const created: Created[] = []
  const script = { created: 0, discarded: [] as string[], refuseCreate: false }
  const handlers = implement(documents, {
    async createUpload({ params }) {
      if (params.customerId !== KNOWN_CUSTOMER) return refuse('resource_not_found')
      script.created += 1
      return reply({ blob_key: randomBytes(16).toString('hex') })
    },
    async create({ caller, body }) {
      if (script.refuseCreate) return refuse('invalid_state', [{ reason: 'case_pending' }])
      const { blob_key, blob_secret, ...shown } = body
      const document: Document = {
        document_id: newId('document'),
        ...shown,
        status: 'uploaded',
        rejection_reason: null,
        submitted_by_partner_id: caller.partnerId,
        uploaded_at: AT,
      }
      created.push({ document, blob_key, blob_secret })
      return reply({ document })
    },
    async deleteUpload({ body }) {
      await store.remove(body.blob_key)
      script.discarded.push(body.blob_key)
      return reply({})
    },
    list: async () => refuse('resource_not_found'),
    listByStaff: async () => refuse('resource_not_found'),
    createDownload: async () => refuse('resource_not_found'),
    createDownloadByStaff: async () => refuse('resource_not_found'),
    async getDownload({ params }) {
      const found = created.find(({ document }) => document.document_id === params.token)
      if (!found) return refuse('resource_not_found')
      const { file_name, mime_type, file_size_bytes } = found.document
      const { blob_key, blob_secret } = found
      return reply({ file_name, mime_type, file_size_bytes, blob_key, blob_secret })
    },
    review: async () => refuse('resource_not_found'),
  })
  const log = createLogger({ service: 'test', level: 'silent' })
  serve(bus, handlers, { keys: testReceiverKeys(), service: 'onboarding', clock, log, checkReplies: true })
  await bus.connection.flush()
  return { store, created, script }
}

/** A gateway with a blob store, and a partner that may upload. */
export const openUploadFixture = async () => {
  const fixture = await openFixture()
  const onboarding = await serveDocuments(fixture)
  const replica = await fixture.startReplica()
  const { token } = await newPartner(replica)
  const manager = await fixture.bus.jetstreamManager()
  const post = (raw: Buffer | string, type: string, path = PATH) =>
    replica.call('POST', path, { token, raw, headers: { 'content-type': type } })

  /** Number of messages in the blob store, of chunks and descriptions. */
  const subjects = async (): Promise<string[]> => {
    const info = await manager.streams.info(`OBJ_${BLOB_BUCKET}`, { subjects_filter: '>' })
    return Object.keys(info.state.subjects ?? {})
  }
  return {
    ...fixture,
    ...onboarding,
    /** Forgets all uploads and calls so far. */
    forget() {
      onboarding.created.length = 0
      Object.assign(onboarding.script, { created: 0, discarded: [], refuseCreate: false })
    },
    replica,
    token,
    subjects,
    /** Expects that no upload leaves anything; a chunk in flight at the end may still be stored and deleted. */
    async expectNothingLeft(before: readonly string[]) {
      expect(onboarding.created).toEqual([])
      await eventually(async () => (await subjects()).every((subject) => before.includes(subject)))
    },
    post,
    postForm: (parts: readonly FormPart[], path?: string) => post(formOf(parts), FORM_TYPE, path),
    postJson: (body: unknown, path?: string) => post(JSON.stringify(body), 'application/json', path),
    /** Sends the beginning of a request; the test decides when to hang up. */
    beginRequest(head: readonly string[], body: Buffer) {
      const socket = connect(replica.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write([...head, `Host: x`, `Authorization: Bearer ${token}`, '', ''].join('\r\n'))
      socket.write(body)
      return socket
    },
  }
}

export type FormPart = Readonly<{ name: string; fileName?: string; type?: string; content: Buffer | string }>
const BOUNDARY = 'boundary-of-the-form'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** A form as a browser writes it (RFC 7578). */
export const formOf = (parts: readonly FormPart[], ending = `--${BOUNDARY}--\r\n`): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, fileName, type, content }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
          (fileName === undefined ? '' : `; filename="${fileName}"`) +
          (type === undefined ? '' : `\r\nContent-Type: ${type}`) +
          '\r\n\r\n',
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(ending),
  ])

export const TYPE_PART: FormPart = { name: 'document_type', content: 'bank_statement' }
export const fileOf = (content: Buffer, fileName = 'statement.pdf'): FormPart => ({
  name: 'file',
  fileName,
  type: 'application/octet-stream',
  content,
})
export const jsonOf = (over: Record<string, unknown> = {}) => ({
  document_type: 'bank_statement',
  file_name: 'statement.pdf',
  content_base64: PDF.toString('base64'),
  ...over,
})

/** An unknown customer. */
export const UNKNOWN = `/api/v1/partner/customers/${newId('relationship')}/documents`

/** A file of this size whose bytes differ. */
export const largePdf = (size: number) => Buffer.concat([PDF, randomBytes(size - PDF.length)])
