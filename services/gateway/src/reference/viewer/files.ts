import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

type ViewerFile = Readonly<{ name: string; type: string; read: () => Promise<Buffer> }>

const JAVASCRIPT = 'text/javascript; charset=utf-8'

const nextToThis = (name: string) => () => readFile(fileURLToPath(new URL(name, import.meta.url)))

/** Files of the reference page: the viewer as published for browsers, its frame, and the styles. */
export const VIEWER_FILES: readonly ViewerFile[] = [
  {
    name: 'viewer.js',
    type: JAVASCRIPT,
    read: () => readFile(new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference'))),
  },
  { name: 'storage.js', type: JAVASCRIPT, read: nextToThis('storage.js') },
  { name: 'start.js', type: JAVASCRIPT, read: nextToThis('start.js') },
  { name: 'style.css', type: 'text/css; charset=utf-8', read: nextToThis('style.css') },
]
