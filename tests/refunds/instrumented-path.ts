import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { instrument, type AwaitPoint } from './await-points.ts'

const root = resolve(import.meta.dirname, '..', '..')
const SERVICE = 'services/refunds/src'
/** The processor of these tests; other adapters have the same calls. */
const ADAPTER = 'packages/rails/src/card/sandbox/adapter.ts'
const ADAPTER_TYPE = 'packages/rails/src/card/adapter.ts'
const CHASSIS = 'packages/chassis/src/index.ts'
/** Where a refund enters the service: by a call, and by the job that completes refunds whose call died. */
const ENTRANCES = ['refunds/operations.ts', 'refunds/jobs/complete-refunds.ts']

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ESNext, true)

type Import = Readonly<{ from: string; names: readonly string[] }>
const importsOf = (file: string): Import[] =>
  parse(file).statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement)
    if (!isImport && !ts.isExportDeclaration(statement)) return []
    if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) return []
    const named = isImport ? statement.importClause?.namedBindings : statement.exportClause
    const isOfTypes = isImport
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly
    const elements =
      !isOfTypes && named && (ts.isNamedImports(named) || ts.isNamedExports(named)) ? named.elements : []
    const names = [...elements].filter((each) => !each.isTypeOnly).map((each) => each.name.text)
    return [{ from: statement.moduleSpecifier.text, names }]
  })

/** Files and all that they import by a relative path. */
const closureOf = (files: readonly string[]): Set<string> => {
  const closure = new Set(files)
  // What is added while it is walked is walked too.
  for (const file of closure)
    for (const { from } of importsOf(file)) if (from.startsWith('.')) closure.add(join(dirname(file), from))
  return closure
}

/** The refund's own modules. */
const ownFiles = () => closureOf(ENTRANCES.map((file) => join(SERVICE, file)))

/** Returns the chassis modules that operations import; the loops of jobs are no part of a refund's path. */
const chassisImports = (): string[] =>
  [...ownFiles()]
    .filter((file) => !file.includes('/jobs/'))
    .flatMap(importsOf)
    .filter(({ from }) => from === '@causeway/chassis')
    .flatMap(({ names }) => names)

/** The modules of the chassis that export these names. */
const chassisFilesOf = (taken: readonly string[]): string[] =>
  importsOf(CHASSIS)
    .filter(({ names }) => names.some((name) => taken.includes(name)))
    .map(({ from }) => join(dirname(CHASSIS), from))

/** Every identifier in a piece of code. */
const namesIn = (...nodes: readonly ts.Node[]): Set<string> => {
  const named = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) named.add(node.text)
    ts.forEachChild(node, visit)
  }
  nodes.forEach(visit)
  return named
}

/** These top-level names of a module and those that they use. */
const neededIn = (file: string, wanted: readonly string[]): Set<string> => {
  const uses = new Map<string, Set<string>>()
  for (const statement of parse(file).statements)
    if (ts.isVariableStatement(statement))
      for (const declaration of statement.declarationList.declarations)
        uses.set(declaration.name.getText(), namesIn(declaration))
  const needed = new Set(wanted)
  // What is added while it is walked is walked too.
  for (const name of needed) for (const other of uses.get(name) ?? []) if (uses.has(other)) needed.add(other)
  return needed
}

/** The calls of an adapter; those that the service never names are on no path of it. */
const adapterCalls = (): Set<string> => {
  const calls = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && node.type && ts.isFunctionTypeNode(node.type))
      calls.add(node.name.getText())
    ts.forEachChild(node, visit)
  }
  visit(parse(ADAPTER_TYPE))
  return calls
}

const isClient = (file: string): boolean => file.includes('/clients/')

/** Graceful stop is no part of a refund. */
const STOPPING = new Set(['stop', 'close'])

/** The path of a refund: its modules with crash points at every await, and those points that a refund reaches. */
export const instrumentRefundPath = (): Readonly<{
  sources: Record<string, string>
  points: readonly string[]
}> => {
  const taken = chassisImports()
  const chassis = new Map(chassisFilesOf(taken).map((file) => [file, neededIn(file, taken)]))
  const files = [...ownFiles(), ...chassis.keys(), ...closureOf([ADAPTER])]
  const calls = adapterCalls()
  const named = namesIn(...[...ownFiles()].filter((file) => !isClient(file)).map(parse))
  /** Calls of an adapter or a client that the path never makes. */
  const isUncalled = (file: string, name: string): boolean =>
    !named.has(name) && (calls.has(name) || isClient(file))
  const isOfNoRefund = (file: string, { inside }: AwaitPoint): boolean =>
    inside.some((name) => STOPPING.has(name)) ||
    inside.slice(1, 2).some((name) => isUncalled(file, name)) ||
    chassis.get(file)?.has(inside[0] ?? '') === false
  const sources: Record<string, string> = {}
  const points: string[] = []
  for (const file of new Set(files)) {
    const instrumented = instrument(
      join(root, file),
      relative(root, join(root, file)),
      'globalThis.crashPoints',
    )
    if (instrumented.points.length === 0) continue
    sources[pathToFileURL(join(root, file)).href] = instrumented.source
    points.push(...instrumented.points.filter((point) => !isOfNoRefund(file, point)).map(({ at }) => at))
  }
  return { sources, points }
}
