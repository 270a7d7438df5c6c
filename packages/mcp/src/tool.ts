/** Description of a tool for an assistant, and the scopes that a token needs for it. */
export type ToolDescription = Readonly<{
  description: string
  scopes: readonly string[]
  /** JSON Schema of an object. */
  inputSchema: Readonly<Record<string, unknown>> & Readonly<{ type: 'object' }>
}>

/** Descriptions by the name of the operation, which is that of the tool. */
export type ToolTable = Readonly<Record<string, ToolDescription>>

/** A tool that reads. */
export type Tool = ToolDescription &
  Readonly<{
    name: string
    /** Asked with an input that its schema allows. */
    run: (input: never, options: Readonly<{ signal: AbortSignal }>) => Promise<object>
  }>
