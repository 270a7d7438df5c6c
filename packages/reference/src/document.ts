import type { JsonSchema } from './json-schema.ts'

export type Reference = Readonly<{ $ref: string }>

/** A body in one media type. */
export type MediaType = Readonly<{
  schema: JsonSchema
  example?: unknown
  examples?: Readonly<Record<string, JsonSchema>>
}>

type Content = Readonly<Record<string, MediaType>>

/** A path, query or header parameter. */
export type Parameter = Readonly<{
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
  /** Value in request samples; without it they send an empty header. */
  example?: string
}>

export type Response = Readonly<{
  description: string
  headers?: Readonly<Record<string, Reference>>
  content?: Content
}>

/** One operation of an OpenAPI document. */
export type ApiOperation = Readonly<{
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  security: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly (Parameter | Reference)[]
  requestBody?: Readonly<{ description?: string; required: boolean; content: Content }>
  responses: Readonly<Record<string, Response | Reference>>
}>

type PathItem = Readonly<Record<string, ApiOperation>>

/** An OpenAPI 3.1 document, as far as this project uses the format. */
export type ApiDocument = Readonly<{
  openapi: '3.1.0'
  info: Readonly<Record<string, unknown>>
  servers: readonly Readonly<{ url: string }>[]
  tags: readonly Readonly<{ name: string; description: string }>[]
  /** Tags by reader, for viewers: Redoc and Scalar know it. */
  'x-tagGroups': readonly Readonly<{ name: string; tags: readonly string[] }>[]
  paths: Readonly<Record<string, PathItem>>
  webhooks?: Readonly<Record<string, PathItem>>
  components: Readonly<{
    securitySchemes?: Readonly<Record<string, JsonSchema>>
    parameters?: Readonly<Record<string, Parameter>>
    headers?: Readonly<Record<string, JsonSchema>>
    responses?: Readonly<Record<string, Response>>
    examples?: Readonly<Record<string, JsonSchema>>
    schemas?: Readonly<Record<string, JsonSchema>>
  }>
}>
