import { dirname, join } from 'node:path'
import ts from 'typescript'

/** A source file: its path from the repository's root, and its text. */
export type SourceFile = Readonly<{ path: string; text: string }>

/** A folder of a service, with the folders of the same service that its files import. */
export type Room = Readonly<{ name: string; imports: readonly string[] }>

const roomOf = (source: string, path: string): string | null => {
  const [room, ...inside] = path.slice(source.length + 1).split('/')
  return path.startsWith(`${source}/`) && room !== undefined && inside.length > 0 ? room : null
}

/** The rooms of a service by name, without the files beside them (main, service, config), which compose them. */
export const roomsOf = (source: string, files: readonly SourceFile[]): Room[] => {
  const rooms = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const name = roomOf(source, path)
    if (name === null) continue
    const imports = rooms.get(name) ?? new Set()
    rooms.set(name, imports)
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const imported = fileName.startsWith('.') ? roomOf(source, join(dirname(path), fileName)) : null
      if (imported !== null && imported !== name) imports.add(imported)
    }
  }
  return [...rooms]
    .map(([name, imports]) => ({ name, imports: [...imports].sort() }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** A diagram for Mermaid: an arrow from each room to what it imports. */
export const diagramOf = (rooms: readonly Room[]): string =>
  [
    'flowchart LR',
    ...rooms.map(({ name }) => `  ${name}`),
    ...rooms.flatMap(({ name, imports }) => imports.map((imported) => `  ${name} --> ${imported}`)),
  ].join('\n')

/** Pairs of rooms that import each other. */
export const mutualImports = (rooms: readonly Room[]): string[] =>
  rooms.flatMap(({ name, imports }) =>
    imports
      .filter((other) => name < other && rooms.find((room) => room.name === other)?.imports.includes(name))
      .map((other) => `${name} and ${other}`),
  )
