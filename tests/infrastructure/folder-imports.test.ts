import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

type Import = readonly [from: string, to: string]
type Graph = { modules: { source: string; dependencies: { resolved: string }[] }[] }

/** Reads every import of the services' sources with dependency-cruiser. */
async function readImports(): Promise<Import[]> {
  const selection = ['--include-only', '^services/[^/]+/src/', '--exclude', '[.]test[.]ts$', 'services']
  const { stdout } = await promisify(execFile)(
    'node_modules/.bin/depcruise',
    ['--output-type', 'json', ...selection],
    { maxBuffer: 1e9 },
  )
  return (JSON.parse(stdout) as Graph).modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }): Import => [source, resolved]),
  )
}

/** Lifts an import between files to the two folders next to each other that contain them. */
function liftToFolders([from, to]: Import): Import[] {
  const [a, b] = [from.split('/'), to.split('/')]
  const depth = a.findIndex((part, index) => part !== b[index]) + 1
  const folders: Import = [a.slice(0, depth).join('/'), b.slice(0, depth).join('/')]
  return depth < a.length && depth < b.length ? [folders] : []
}

/** Returns the folders that import each other, directly or through others. */
function circularFolders(imports: readonly Import[]): string[] {
  const next = Map.groupBy(imports.flatMap(liftToFolders), ([from]) => from)
  const reachableFrom = (start: string): Set<string> => {
    const reached = new Set<string>()
    const queue = [start]
    for (const folder of queue)
      for (const [, to] of next.get(folder) ?? [])
        if (!reached.has(to)) {
          reached.add(to)
          queue.push(to)
        }
    return reached
  }
  return [...next.keys()].filter((folder) => reachableFrom(folder).has(folder))
}

test('finds folders that import each other through a third folder or through subfolders', () => {
  const circle: Import[] = [
    ['shop/a/x/one.ts', 'shop/b/y/two.ts'],
    ['shop/b/z/three.ts', 'shop/c/four.ts'],
    ['shop/c/five.ts', 'shop/a/w/six.ts'],
    ['shop/c/five.ts', 'shop/d/seven.ts'],
  ]
  expect(circularFolders(circle)).toEqual(['shop/a', 'shop/b', 'shop/c'])
  expect(circularFolders(circle.slice(1))).toEqual([])
})

/**
 * The rule `no-cycles` finds files that import each other. Folders can form a cycle without any cycle of files, and then
 * one cannot be read without the other; dependency-cruiser's folder rules miss those that do so through subfolders.
 */
test('finds no folders of a service that import each other, at any depth', async () => {
  const imports = await readImports()
  expect(imports.length).toBeGreaterThan(1000)
  expect(circularFolders(imports)).toEqual([])
})
