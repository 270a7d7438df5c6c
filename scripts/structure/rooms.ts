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

/** Every room that can be reached from one by imports, itself only if it lies on a circle. */
const reachableFrom = (rooms: readonly Room[], start: Room): ReadonlySet<string> => {
  const reached = new Set<string>()
  const follow = ({ imports }: Room) => {
    for (const name of imports) {
      if (reached.has(name)) continue
      reached.add(name)
      const next = rooms.find((room) => room.name === name)
      if (next !== undefined) follow(next)
    }
  }
  follow(start)
  return reached
}

/** Groups of rooms that import each other, directly or over further rooms of the group. */
export const circularImports = (rooms: readonly Room[]): string[][] => {
  const reachable = new Map(rooms.map((room) => [room.name, reachableFrom(rooms, room)]))
  const groups = rooms
    .filter(({ name }) => reachable.get(name)?.has(name))
    .map(({ name }) =>
      rooms
        .map((other) => other.name)
        .filter((other) => reachable.get(name)?.has(other) && reachable.get(other)?.has(name)),
    )
  return groups.filter((group, index) => groups.findIndex(([first]) => first === group[0]) === index)
}
