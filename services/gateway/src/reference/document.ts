import type { JsonSchema } from './json-schema.ts'

/** One operation of an OpenAPI document. */
export type ApiOperation = Readonly<{
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly JsonSchema[]
  requestBody?: Readonly<{
    required: boolean
    content: Readonly<Record<string, Readonly<{ schema: JsonSchema }>>>
  }>
  responses: Readonly<Record<string, JsonSchema>>
}>

/** An OpenAPI 3.1 document, as far as this project uses the format. */
export type ApiDocument = Readonly<{
  openapi: '3.1.0'
  info: Readonly<Record<string, unknown>>
  servers: readonly Readonly<{ url: string }>[]
  tags: readonly Readonly<{ name: string; description: string }>[]
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  components: Readonly<Record<string, unknown>>
}>
