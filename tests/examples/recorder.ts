import type { Answer, Asked } from '@causeway/dev-env/platform/raw-client'
import type { ApiDocument } from '@causeway/reference'

/** Example of one operation: the first request that succeeded, and the first answer with each status. */
type OperationExample = { request?: unknown; responses: Record<string, unknown> }

type Pattern = Readonly<{ method: string; path: RegExp; parameters: number; operationId: string }>

const patternsOf = (documents: readonly ApiDocument[]): readonly Pattern[] =>
  documents
    .flatMap(({ paths }) => Object.entries(paths))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        parameters: path.split('{').length,
        operationId,
      })),
    )
    // A fixed path before one with a parameter in its place.
    .toSorted((a, b) => a.parameters - b.parameters)

/** Removes the schema of a verification: it has 15 kB, and another operation returns it. */
const shortened = (body: unknown): unknown => {
  const { data } = body as { data?: { schema?: { type: string } } }
  if (data?.schema === undefined) return body
  return { ...(body as object), data: { ...data, schema: { type: data.schema.type } } }
}

/** Records what is asked and answered, by the operations of the documents. */
export const createRecorder = (documents: readonly ApiDocument[]) => {
  const patterns = patternsOf(documents)
  const operations = new Map<string, OperationExample>()
  const operationOf = (method: string, path: string) =>
    patterns.find((pattern) => pattern.method === method && pattern.path.test(path))?.operationId
  return {
    operations,
    record: ({ method, path, body }: Asked, { status, body: answered }: Pick<Answer, 'status' | 'body'>) => {
      const operationId = operationOf(method, path.split('?')[0] ?? path)
      if (operationId === undefined || status >= 300) return
      const known = operations.get(operationId) ?? {
        ...(body === undefined ? {} : { request: body }),
        responses: {},
      }
      known.responses[String(status)] ??= shortened(answered)
      operations.set(operationId, known)
    },
  }
}

type MerchantBody = Readonly<{ event: string; order?: Readonly<Record<string, unknown>> }>

/** Distinguishes the examples of one event: crypto and card orders have different bodies. */
const variantOf = (
  event: Readonly<{ data?: Readonly<Record<string, unknown>> }> & Partial<MerchantBody>,
): string => {
  const rail = event.data?.['rail']
  if (typeof rail === 'string') return rail
  if (event.order === undefined) return 'example'
  if ('integrationId' in event.order) return 'fiat'
  return 'depositAddress' in event.order ? 'crypto' : 'example'
}

export type EventExamples = Record<string, Record<string, Event>>

type Event = Partial<MerchantBody> &
  Readonly<{ event_type?: string; data?: Readonly<Record<string, unknown>> }>

/** Ids are in the order of time. */
const orderIdOf = ({ order, data }: Event): string =>
  ((order?.['id'] ?? data?.['order_id']) as string | undefined) ?? ''

/** The event of each type and variant that is of the oldest order, by channel: those of one moment come in any order. */
export const eventExamplesOf = (
  events: readonly object[],
): { partner: EventExamples; merchant: EventExamples } => {
  const examples: { partner: EventExamples; merchant: EventExamples } = { partner: {}, merchant: {} }
  for (const event of events as readonly Event[]) {
    const channel = event.event_type === undefined ? examples.merchant : examples.partner
    const name = event.event_type ?? event.event ?? ''
    const variants = (channel[name] ??= {})
    const variant = variantOf(event)
    const known = variants[variant]
    if (known === undefined || orderIdOf(event) < orderIdOf(known)) variants[variant] = event
  }
  return examples
}
