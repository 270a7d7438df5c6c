import type { ApiDocument, ApiOperation } from './document.ts'
import type { JsonSchema } from './json-schema.ts'
import { page, table, typeBlocks } from './markdown.ts'
import { typesOf } from './model.ts'
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

/** The fields of a body, those of what it names included: `data` of a partner's event, `order` of a merchant's. */
const fieldTables = (document: ApiDocument, schema: JsonSchema): string[] =>
  schemasOf(schema, document).flatMap((body) => {
    const rows = fieldsOf(body).map(({ name, type, required, notes }) => [
      `\`${name}\``,
      type,
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
      ['Event', 'Event'],
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

/** Returns the sections of the types that blocks link to, directly or through other types. */
const linkedTypes = (document: ApiDocument, blocks: readonly string[]): string[] => {
  const sections = new Map(typesOf(document).map((type) => [anchorOf(type.name), typeBlocks(type)]))
  // The type of an event has the same anchor as the event's own section.
  for (const name of Object.keys(document.webhooks ?? {})) sections.delete(anchorOf(name).replaceAll('.', ''))
  const linked = new Set<string>()
  const collect = (texts: readonly string[]): void => {
    for (const [, anchor = ''] of texts.join('\n').matchAll(/\]\(#([^)]+)\)/g)) {
      const section = sections.get(anchor)
      if (section === undefined || linked.has(anchor)) continue
      linked.add(anchor)
      collect(section)
    }
  }
  collect(blocks)
  return [...sections].flatMap(([anchor, section]) => (linked.has(anchor) ? section : []))
}

/** Every event of both channels, in Markdown. @param examples of events, by channel */
export const renderEvents = (
  document: ApiDocument,
  examples: Readonly<{ partner: EventExamples; merchant: EventExamples }>,
): string => {
  const channels = [
    ...channelBlocks(document, 'Partner events', examples.partner),
    ...channelBlocks(document, 'Merchant events', examples.merchant),
  ]
  return page('Events', [
    'The events that the platform sends to webhooks: when each is sent, its fields, and what a receiver should do. To verify a delivery, see [RECEIVING.md](../RECEIVING.md).',
    'Events can get new fields, and the channels new events: ignore unknown ones. Existing fields keep their names and types. The field name `*` means keys named after a card processor or an onramp provider.',
    'Each delivery is a `POST` of JSON with these headers:',
    table(['Header', 'Value'], headerRows(document)),
    ...channels,
    '## Types',
    ...linkedTypes(document, channels),
  ])
}
