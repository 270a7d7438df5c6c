import type { ApiDocument, ApiOperation } from './document.ts'
import type { JsonSchema } from './json-schema.ts'
import { page, table } from './markdown.ts'
import { anchorOf, fieldsOf } from './schema-text.ts'

const COMPONENT = '#/components/schemas/'

const schemasOf = (
  { $ref, anyOf, oneOf, ...own }: JsonSchema,
  document: ApiDocument,
): readonly JsonSchema[] => {
  if (typeof $ref === 'string') {
    const schema = document.components.schemas?.[$ref.slice(COMPONENT.length)]
    return schema === undefined ? [] : schemasOf(schema, document)
  }
  const variants = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined
  return variants === undefined ? [own] : variants.flatMap((each) => schemasOf(each, document))
}

/** Links lead to the types of the API reference, which is another page. */
const linked = (text: string): string => text.replaceAll('](#', '](api.md#')

/** The fields of a body, those of what it names included: `data` of a partner's event, `order` of a merchant's. */
const fieldTables = (document: ApiDocument, schema: JsonSchema): string[] =>
  schemasOf(schema, document).flatMap((body) => {
    const rows = fieldsOf(body).map(({ name, type, required, notes }) => [
      `\`${name}\``,
      linked(type),
      required ? 'yes' : 'no',
      notes,
    ])
    return rows.length === 0 ? [] : [table(['Field', 'Type', 'Always', 'Notes'], rows)]
  })

type Example = Readonly<{ variant: string; value: unknown }>

const exampleBlocks = ({ variant, value }: Example): string[] => [
  `${variant === 'example' ? 'An example' : `An example (${variant})`}:`,
  `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
]

const eventBlocks = (
  document: ApiDocument,
  name: string,
  { description, requestBody, operationId }: ApiOperation,
  examples: Readonly<Record<string, unknown>>,
): string[] => [
  `### ${name}`,
  description,
  `In the OpenAPI document: \`webhooks\`, \`${operationId}\`.`,
  ...fieldTables(document, requestBody?.content['application/json']?.schema ?? {}),
  ...Object.entries(examples).flatMap(([variant, value]) => exampleBlocks({ variant, value })),
]

type EventExamples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const channelBlocks = (document: ApiDocument, tag: string, examples: EventExamples): string[] => {
  const events = Object.entries(document.webhooks ?? {}).flatMap(([name, { post }]) =>
    post?.tags.includes(tag) === true ? [{ name, post }] : [],
  )
  const description = document.tags.find(({ name }) => name === tag)?.description ?? ''
  return [
    `## ${tag}`,
    description,
    table(
      ['Event', 'What has happened'],
      events.map(({ name, post }) => [
        `[\`${name}\`](#${anchorOf(name).replaceAll('.', '')})`,
        post.summary.slice(name.length + 2),
      ]),
    ),
    ...events.flatMap(({ name, post }) => eventBlocks(document, name, post, examples[name] ?? {})),
  ]
}

const headerRows = (document: ApiDocument): string[][] =>
  Object.values(document.components.parameters ?? {})
    .filter(({ name }) => /^x-(signature|timestamp|webhook-id)$/.test(name))
    .map(({ name, description = '' }) => [`\`${name}\``, description])

/** Every event of both channels, in Markdown. @param examples of events, by channel */
export const renderEvents = (
  document: ApiDocument,
  examples: Readonly<{ partner: EventExamples; merchant: EventExamples }>,
): string =>
  page('Events', [
    'What the platform sends to webhooks: when each event fires, what it holds, and what a receiver should do. How to verify a delivery is in [RECEIVING.md](../RECEIVING.md); what happens when it is not taken in [receivers.md](receivers.md).',
    'Events may get new fields, and the channels new events: ignore what you do not know. What is there now stays, with its type. A field `*` stands for keys that bear the name of a card processor or of an onramp provider.',
    'Every delivery is a `POST` of JSON with these headers:',
    table(['Header', 'Value'], headerRows(document)),
    ...channelBlocks(document, 'Partner events', examples.partner),
    ...channelBlocks(document, 'Merchant events', examples.merchant),
  ])
