import { expect, test } from '@jest/globals'
import { SERVICES } from '@causeway/contracts'
import { dirname, join } from 'node:path'
import { circularImports, roomsOf } from '../../scripts/structure/rooms.ts'
import { readSources } from '../../scripts/structure/sources.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** A folder and all that it lies in, up to the root. */
const withParents = (folder: string): string[] =>
  folder === '.' ? [] : [folder, ...withParents(dirname(folder))]

/**
 * Files that import each other in a circle are found by dependency-cruiser; folders can do so while none of their files
 * does, and then nobody can read one without the other (docs/reference/structure.md).
 */
test.each(['gateway', ...SERVICES])('no folders of %s import each other, at any depth', async (service) => {
  const source = `services/${service}/src`
  const files = await readSources(ROOT, source)
  const folders = new Set(files.flatMap(({ path }) => withParents(dirname(path))))
  const circles = [...folders]
    .filter((folder) => folder.startsWith(source))
    .map((folder) => ({ folder, circles: circularImports(roomsOf(folder, files)) }))
  expect(circles.filter((found) => found.circles.length > 0)).toEqual([])
})
