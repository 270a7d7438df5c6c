import ts from 'typescript'
import type { SourceFile } from './sources.ts'

/** A line that a process may log: its code, at which levels, with which messages, and by which part. */
export type LogEvent = Readonly<{
  code: string
  levels: readonly string[]
  messages: readonly string[]
  part: string
}>

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal']

const partOf = (path: string): string => path.split('/').slice(0, 2).join('/').replace('/src', '')

const codeIn = (node: ts.Node): string | null => {
  if (!ts.isObjectLiteralExpression(node)) return null
  for (const property of node.properties)
    if (
      ts.isPropertyAssignment(property) &&
      property.name.getText() === 'event' &&
      ts.isStringLiteral(property.initializer)
    )
      return property.initializer.text
  return null
}

type Line = Readonly<{ code: string; level: string; message: string; part: string }>

/** Calls such as `log.warn({ event: 'refund.not_recorded', … }, 'A refund …')`. */
const linesOf = ({ path, text }: SourceFile): Line[] => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const lines: Line[] = []
  // Fields that are declared as a constant before the call: the last such declaration above it.
  const named = new Map<string, string>()
  const codeOf = (fields: ts.Node): string | null =>
    ts.isIdentifier(fields) ? (named.get(fields.text) ?? null) : codeIn(fields)
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const code = codeIn(node.initializer)
      if (code !== null) named.set(node.name.getText(), code)
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [fields, message] = node.arguments
      const code = fields && codeOf(fields)
      const level = node.expression.name.text
      if (code && LEVELS.includes(level) && message && ts.isStringLiteralLike(message))
        lines.push({ code, level, message: message.text, part: partOf(path) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

const unique = (values: readonly string[]): string[] => [...new Set(values)].sort()

/** Every log event of these files, by code and part. */
export const logEventsOf = (files: readonly SourceFile[]): LogEvent[] => {
  const lines = files.flatMap(linesOf)
  const keys = unique(lines.map(({ code, part }) => `${code} ${part}`))
  return keys.map((key) => {
    const same = lines.filter(({ code, part }) => `${code} ${part}` === key)
    const [code = '', part = ''] = key.split(' ')
    return {
      code,
      part,
      levels: unique(same.map((line) => line.level)),
      messages: unique(same.map((line) => line.message)),
    }
  })
}
