import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** One await of the code; a process can be killed before it and after it. */
export type AwaitPoint = Readonly<{
  /** `<file>:<line>:<column>` in the source. */
  at: string
  /** The names of the functions and members around it, outermost first. */
  inside: readonly string[]
}>

/** A module with a crash point before and after every await. */
export type Instrumented = Readonly<{ source: string; points: readonly AwaitPoint[] }>

type Edit = Readonly<{ at: number; text: string }>

const nameOf = (node: ts.Node): string | null => {
  const named =
    ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)
  return named || ts.isFunctionDeclaration(node) ? (node.name?.getText() ?? null) : null
}

/**
 * Rewrites `await X` to `await crashPoints.settled(at, await crashPoints.before(at), X)`, and the iterable of a
 * `for await` likewise. Line numbers stay. The operand is evaluated only after `before`; `settled` sees it whether it
 * succeeds or fails.
 * @param file name of the file in its points
 * @param crashPoints expression for the crash points of the process (process/crash-points.ts)
 */
export const instrument = (path: string, file: string, crashPoints: string): Instrumented => {
  const text = readFileSync(path, 'utf8')
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const edits: Edit[] = []
  const points: AwaitPoint[] = []
  const pointAt = (node: ts.Node, inside: readonly string[]): string => {
    const { line, character } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
    const at = `${file}:${line + 1}:${character + 1}`
    points.push({ at, inside })
    return JSON.stringify(at)
  }
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const name = nameOf(node)
    const inside = name === null ? around : [...around, name]
    if (ts.isAwaitExpression(node)) {
      const at = pointAt(node, inside)
      const { expression } = node
      edits.push({
        at: expression.getStart(tree),
        text: `${crashPoints}.settled(${at}, await ${crashPoints}.before(${at}), `,
      })
      edits.push({ at: expression.getEnd(), text: ')' })
    }
    if (ts.isForOfStatement(node) && node.awaitModifier) {
      const at = pointAt(node, inside)
      edits.push({ at: node.expression.getStart(tree), text: `${crashPoints}.each(${at}, ` })
      edits.push({ at: node.expression.getEnd(), text: ')' })
    }
    if (ts.isVariableDeclarationList(node) && node.getText(tree).startsWith('await using'))
      throw new Error(
        `${file}: "await using" waits at the end of its block, where nothing can be put: use try`,
      )
    ts.forEachChild(node, (child) => visit(child, inside))
  }
  visit(tree, [])
  return { source: applied(text, edits), points }
}

/** Edits at one position keep their order. */
const applied = (text: string, edits: readonly Edit[]): string => {
  let from = 0
  const parts: string[] = []
  for (const edit of [...edits].sort((a, b) => a.at - b.at)) {
    parts.push(text.slice(from, edit.at), edit.text)
    from = edit.at
  }
  return parts.join('') + text.slice(from)
}
